import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { runTask } from '../support/run-task.ts'

/** A blue square of 30 × 20 on a border. */
const borderedPicture = (border: string) =>
  solid(30, 20, '#0000ff').extend({ left: 7, top: 5, right: 3, bottom: 11, background: border }).png().toBuffer()
const inner = { left: 7, top: 5, width: 30, height: 20 }
const whole = { left: 0, top: 0, width: 40, height: 36 }

test('the border has the colour of the top-left pixel, or the one that is named', async () => {
  const boxOf = async (border: string, params: object) => {
    const { report } = await runTask('trimBox', { threshold: 10, ...params }, await borderedPicture(border))
    return report
  }
  assert.deepEqual(await boxOf('#ffffff', {}), inner)
  assert.deepEqual(await boxOf('#ffffff', { colour: [250, 255, 255] }), inner)
  assert.deepEqual(await boxOf('#ffffff', { colour: [200, 255, 255] }), whole)
  assert.deepEqual(await boxOf('#12345600', {}), inner)
  assert.deepEqual(await boxOf('#12345600', { colour: [255, 0, 255] }), inner)
})

test('a pixel that compression has left belongs to the border, and nine do not', async () => {
  const withSpeck = async (side: number) => {
    const speck = await solid(side, side, '#000000').png().toBuffer()
    const picture = solid(30, 20, '#0000ff').extend({ left: 7, top: 5, right: 3, bottom: 11, background: '#ffffff' })
    return sharp(await picture.png().toBuffer())
      .composite([{ input: speck, left: 20, top: 30 }])
      .png()
      .toBuffer()
  }
  const boxOf = async (side: number) => (await runTask('trimBox', { threshold: 10 }, await withSpeck(side))).report
  assert.deepEqual(await boxOf(1), inner)
  assert.deepEqual(await boxOf(3), { ...inner, height: 28 })
})
