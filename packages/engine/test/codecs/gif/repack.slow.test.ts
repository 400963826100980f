import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGif } from '@pixelmill/codecs/gif/read-gif'
import { repack, repackNear } from '@pixelmill/codecs/gif/repack'
import { damage } from '@pixelmill/codecs/test/support/damage'
import { animation, kinds, MAX_PIXELS, optimizeEach, packSame, random } from './animations.ts'

for (const [name, kind] of Object.entries(kinds))
  test(`${name}: packed again eight times, every frame looks the same and lasts as long`, () => packSame(kind, 8))

test('damaged files are refused or packed, and none makes it throw', () => {
  const sources = [animation({ transparent: true, local: true, disposals: [1, 2, 3] }), animation({ interlaced: true })]
  let refusals = 0
  for (let round = 0; round < 1_500; round++) {
    const copy = damage(sources[round % 2] ?? Buffer.alloc(0), random, 80)
    const file = readGif(copy, MAX_PIXELS)
    if (!file) refusals++
    else assert.ok((round % 3 === 0 ? repackNear(file, 9) : repack(file, 2)) !== null)
  }
  assert.ok(refusals > 300 && refusals < 1_500)
})

test('optimize does so with animations of every kind', () => optimizeEach(Object.values(kinds)))
