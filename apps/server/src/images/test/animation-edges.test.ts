import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animatedGif, animatedWebp, near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { chunk, numbers } from '@pixelmill/engine/test/support/png'
import sharp, { type Sharp } from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

/** Animations of unusual frames, too many frames and too many pixels; and PNGs that move. */

const { post } = sharedServer()

const mark = await solid(4, 4, '#ffffff').png().toBuffer()
const operations = [
  ['convert', { format: 'webp' }],
  ['convert', { format: 'webp', width: 10, fit: 'cover', height: 10 }],
  ['convert', { format: 'webp', rotate: 90 }],
  ['convert', { format: 'webp', blur: 1, grayscale: true }],
  ['resize', { width: 10, height: 10 }],
  ['crop', { x: 0, y: 0, width: 10, height: 10 }],
  ['watermark', { scale: 0.1 }],
  ['optimize', {}],
  ['optimize', { quality: 100 }],
] as const
const files = (operation: string, image: Buffer) => (operation === 'watermark' ? { image, watermark: mark } : { image })
const frames = async (bytes: Buffer) => (await sharp(bytes, { animated: true }).metadata()).pages

/** As many frames of one grey each, all different from the one before. */
function grey(side: number, levels: readonly number[]): Sharp {
  const data = Buffer.concat(levels.map((level) => Buffer.alloc(side * side * 3, level)))
  return sharp(data, { raw: { width: side, height: side * levels.length, channels: 3, pageHeight: side } })
}

test('equal frames of a GIF keep their number and their delays', async () => {
  const delay = [100, 200, 300, 400]
  const image = await grey(20, [10, 10, 200, 200]).gif({ delay, loop: 3, keepDuplicateFrames: true }).toBuffer()
  for (const [operation, fields] of operations.slice(4)) {
    const { bytes } = await post(operation, fields, files(operation, image))
    const real = await sharp(bytes, { animated: true }).metadata()
    assert.deepEqual([real.pages, real.loop, real.delay], [4, 3, delay], operation)
  }
})

test('equal frames of a WebP, which its encoder joins, keep the sum of their delays', async () => {
  const image = await grey(20, [10, 10, 200, 200])
    .gif({ delay: [100, 200, 300, 400], loop: 3, keepDuplicateFrames: true })
    .toBuffer()
  const { bytes } = await post('convert', { format: 'webp' }, { image })
  const real = await sharp(bytes, { animated: true }).metadata()
  assert.deepEqual([real.loop, real.delay], [3, [300, 700]])
})

test('each frame keeps its own delay', async () => {
  const delay = [20, 50, 70, 1_000, 30]
  const gif = await grey(20, [0, 60, 120, 180, 240]).gif({ delay, loop: 0 }).toBuffer()
  const webp = await grey(20, [0, 60, 120, 180, 240]).webp({ delay, loop: 0 }).toBuffer()
  for (const image of [gif, webp]) {
    for (const [operation, fields] of operations) {
      const { bytes, status, error } = await post(operation, fields, files(operation, image))
      assert.equal(status, 200, `${operation}: ${error?.message}`)
      const real = await sharp(bytes, { animated: true }).metadata()
      assert.deepEqual([real.pages, real.loop, real.delay], [5, 0, delay], operation)
      for (const [frame, level] of [0, 60, 120, 180, 240].entries())
        assert.ok(near(await pixel(bytes, 1, 1, frame), [level, level, level], 12), `${operation}, frame ${frame}`)
    }
  }
})

test('an animation of 1,000 frames is accepted, one of 1,001 is refused', async () => {
  const moving = (count: number) =>
    grey(
      2,
      Array.from({ length: count }, (_, frame) => (frame % 2) * 255),
    )
      .gif()
      .toBuffer()
  const { bytes } = await post('resize', { width: 3, height: 3 }, { image: await moving(1_000) })
  assert.equal(await frames(bytes), 1_000)
  const image = await moving(1_001)
  for (const [operation, fields] of operations) {
    const { status, error } = await post(operation, fields, files(operation, image))
    assert.deepEqual([status, error?.statusMessage], [400, 'image_too_large'], operation)
    assert.match(error?.message ?? '', /more than 1000 frames/)
  }
})

test('the limit of 80 megapixels counts all frames, before one is decoded', async () => {
  const gif = await animatedGif(20, 20)
  // The logical screen; and the first frame, behind its comma, left and top.
  const frame = gif.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 20, 0, 20, 0]))
  for (const at of [6, 8, frame + 5, frame + 7]) gif.writeUInt16LE(6_000, at)
  const webp = await animatedWebp(20, 20)
  // The canvas of VP8X: 24 bits each, less one.
  webp.writeUIntLE(5_999, 24, 3)
  webp.writeUIntLE(5_999, 27, 3)
  for (const [name, image] of Object.entries({ gif, webp })) {
    for (const [operation, fields] of operations) {
      const { status, error } = await post(operation, fields, files(operation, image))
      assert.deepEqual([status, error?.statusMessage], [400, 'image_too_large'], `${name}, ${operation}`)
      assert.match(error?.message ?? '', /108\.0 megapixels over all its frames/)
    }
  }
})

test('an answer whose frames have more than 80 megapixels is refused, one with fewer is not', async () => {
  const image = await animatedGif(20, 20)
  for (const operation of ['convert', 'resize']) {
    const { status, error } = await post(operation, { width: 6_000, height: 6_000 }, { image })
    assert.deepEqual([status, error?.statusMessage], [400, 'image_too_large'], operation)
    assert.match(error?.message ?? '', /6000 × 6000 × 3 frames/)
  }
  assert.equal((await post('convert', { format: 'png', width: 600 }, { image })).status, 200)
})

/** An animated PNG (PNG, third edition, 11.3.6): red, then blue. */
async function apng(side: number): Promise<Buffer> {
  const [red, blue] = await Promise.all(['#ff0000', '#0000ff'].map((colour) => solid(side, side, colour).png().toBuffer()))
  assert.ok(red && blue)
  const pixelsOf = (png: Buffer) => {
    const at = png.indexOf('IDAT')
    return png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4))
  }
  const control = (sequence: number) => chunk('fcTL', numbers(sequence, side, side, 0, 0), Buffer.from([0, 10, 0, 100, 0, 0]))
  const still = red.indexOf('IDAT') - 4
  return Buffer.concat([
    red.subarray(0, 33),
    chunk('acTL', numbers(2, 0)),
    red.subarray(33, still),
    control(0),
    chunk('IDAT', pixelsOf(red)),
    control(1),
    chunk('fdAT', numbers(2), pixelsOf(blue)),
    chunk('IEND'),
  ])
}

test('every operation reads the first frame of an animated PNG', async () => {
  const image = await apng(20)
  for (const [operation, fields] of operations) {
    if ('grayscale' in fields) continue
    const { bytes, status, error } = await post(operation, fields, files(operation, image))
    assert.equal(status, 200, `${operation}: ${error?.message}`)
    assert.ok(near(await pixel(bytes, 2, 2), [255, 0, 0], 8), operation)
    assert.equal((await sharp(bytes).metadata()).pages, undefined, operation)
  }
  const { bytes } = await post(
    'watermark',
    { position: 'center', scale: 0.5 },
    { image: await solid(40, 40, '#000000').png().toBuffer(), watermark: image },
  )
  assert.ok(near(await pixel(bytes, 20, 20), [255, 0, 0]))
})
