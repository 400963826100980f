import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import { plainApng } from '@pixelmill/codecs/test/support/apng'
import { animatedGif, animatedWebp, near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

/** Animations of unusual frames, too many frames and too many pixels, of PNG too. */

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

test('every operation keeps the frames of an animated PNG, their times and how often they play', async () => {
  const frames = (['red', 'blue'] as const).map((name) => ({ rows: COLOURS[name], delay: [1, 8] as const }))
  const image = plainApng({ width: 20, height: 20, colourType: 2, plays: 3, frames })
  for (const [operation, fields] of operations) {
    if ('grayscale' in fields) continue
    const { bytes, status, error } = await post(operation, fields, files(operation, image))
    assert.equal(status, 200, `${operation}: ${error?.message}`)
    // libvips, which reads WebP here, knows nothing of frames in PNGs.
    const { pixels, header } = await openFile(bytes)
    assert.deepEqual([header.frames, header.delay, header.loop], [2, [125, 125], 3], operation)
    const strip = await pixels.removeAlpha().png().toBuffer()
    assert.ok(near(await pixel(strip, 2, 2), COLOURS.red, 8), operation)
    assert.ok(near(await pixel(strip, 2, header.height + 2), COLOURS.blue, 8), operation)
  }
  const { bytes } = await post(
    'watermark',
    { position: 'center', scale: 0.5 },
    { image: await solid(40, 40, '#000000').png().toBuffer(), watermark: image },
  )
  assert.ok(near(await pixel(bytes, 20, 20), COLOURS.red))
})

const COLOURS = { red: [255, 0, 0], blue: [0, 0, 255] } as const

async function openFile(bytes: Buffer) {
  const header = await readHeader(bytes)
  return { header, pixels: (await openImage(bytes, header, codecs.webp)).pixels }
}

test('an animated PNG has the limits of other animations', async () => {
  const frames = Array.from({ length: 1_001 }, () => ({ rows: [0] }))
  const long = await post('convert', { format: 'jpeg' }, { image: plainApng({ width: 1, height: 1, colourType: 0, frames }) })
  assert.match(long.error?.message ?? '', /more than 1000 frames/)
  const large = plainApng({
    width: 6_000,
    height: 6_000,
    bits: 1,
    colourType: 0,
    frames: Array(3).fill({ width: 1, height: 1, rows: [0] }),
    fallback: [0],
  })
  const { error } = await post('convert', { format: 'jpeg' }, { image: large })
  assert.match(error?.message ?? '', /108\.0 megapixels over all its frames/)
})
