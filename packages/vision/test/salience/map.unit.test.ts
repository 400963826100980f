import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { salienceMapOf } from '../../src/salience/map.ts'

/** A dark disc in the right half of a pale picture between black bars. */
const letterbox = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="200" height="160">
  <rect width="200" height="160"/><rect y="30" width="200" height="100" fill="#cdd5da"/>
  <circle cx="150" cy="84" r="22" fill="#7a2f28"/></svg>`)

test('bars around a picture are no edges of it: its subject is salient, not all of the picture', async () => {
  const map = await salienceMapOf(sharp(letterbox).removeAlpha())
  const inside = (at: number) => Math.hypot((at % map.width) - 150, Math.floor(at / map.width) - 84) < 24
  const [disc, rest] = [true, false].map((isInside) =>
    map.data.filter((_, at) => inside(at) === isInside).reduce((sum, level) => sum + level, 0),
  )
  assert.ok((rest as number) < (disc as number) / 4, `salience of ${disc} in the subject, of ${rest} elsewhere`)
})
