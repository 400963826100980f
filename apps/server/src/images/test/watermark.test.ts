import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const image = await solid(100, 60, '#000000').png().toBuffer()
const white = await solid(10, 10, '#ffffff').png().toBuffer()
const WHITE = [255, 255, 255]
const BLACK = [0, 0, 0]

const places = [
  ['top-left', 2, 2],
  ['top-right', 97, 2],
  ['bottom-left', 2, 57],
  ['bottom-right', 97, 57],
  ['center', 50, 30],
] as const
for (const [position, x, y] of places) {
  test(`${position} puts the watermark there, and nowhere else`, async () => {
    const { bytes } = await post('watermark', { position, scale: 0.1 }, { image, watermark: white })
    for (const [name, atX, atY] of places) {
      assert.ok(near(await pixel(bytes, atX, atY), name === position ? WHITE : BLACK), name)
    }
    assert.ok(near(await pixel(bytes, x, y), WHITE))
  })
}

const opacities = [
  ['#ffffff', 100, 255],
  ['#ffffff', 50, 128],
  ['#ffffff', 0, 0],
  ['#ffffff80', 100, 128],
  ['#ffffff80', 50, 64],
] as const
for (const [colour, opacity, expected] of opacities) {
  test(`opacity ${opacity} of ${colour} on black gives ${expected}`, async () => {
    const watermark = await solid(10, 10, colour).png().toBuffer()
    const { bytes } = await post('watermark', { position: 'center', scale: 0.5, opacity }, { image, watermark })
    assert.ok(near(await pixel(bytes, 50, 30), [expected, expected, expected], 3))
  })
}

test('the defaults are bottom-right, a fifth of the width, opaque', async () => {
  const { bytes } = await post('watermark', {}, { image, watermark: white })
  assert.ok(near(await pixel(bytes, 81, 41), WHITE))
  assert.ok(near(await pixel(bytes, 79, 39), BLACK))
})

const marks = {
  'larger than the base': await solid(400, 400, '#ffffff').png().toBuffer(),
  'very tall': await solid(10, 300, '#ffffff').png().toBuffer(),
  grey: await solid(10, 10, '#ffffff').toColourspace('b-w').png().toBuffer(),
  JPEG: await solid(10, 10, '#ffffff').jpeg().toBuffer(),
}
for (const [name, watermark] of Object.entries(marks)) {
  test(`a watermark that is ${name} fits into the base`, async () => {
    const answer = await post('watermark', { position: 'center', scale: 1 }, { image, watermark })
    assert.equal(answer.status, 200, String(answer.error?.message))
    const { width, height } = await sharp(answer.bytes).metadata()
    assert.deepEqual([width, height], [100, 60])
    assert.ok(near(await pixel(answer.bytes, 50, 30), WHITE))
  })
}

test('bases of one channel and of 16 bits take a coloured watermark', async () => {
  const red = await solid(10, 10, '#ff0000').png().toBuffer()
  const bases = [
    await solid(50, 50, '#808080').toColourspace('b-w').png().toBuffer(),
    await solid(50, 50, '#808080').toColourspace('rgb16').png().toBuffer(),
  ]
  for (const base of bases) {
    const { bytes } = await post('watermark', { position: 'center', scale: 0.5 }, { image: base, watermark: red })
    assert.ok(near(await pixel(bytes, 25, 25), [255, 0, 0]))
    assert.ok(near(await pixel(bytes, 2, 2), [128, 128, 128]))
  }
})
