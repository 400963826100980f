import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import type { Box } from '@pixelmill/codecs/pixels/size'
import { baseline, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import sharp, { type Sharp } from 'sharp'
import { type Frame, resize } from '../../src/image/resize.ts'

/** One sample of a pixel of the picture: x and y in pixels, channel 3 is alpha. */
type Paint = (x: number, y: number, channel: number) => number
interface Canvas {
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
}

function paintPicture({ width, height, channels }: Canvas, paint: Paint): Sharp {
  const data = Uint8Array.from({ length: width * height * channels }, (_, at) => {
    const pixel = Math.floor(at / channels)
    return paint(pixel % width, Math.floor(pixel / width), at % channels)
  })
  return sharp(data, { raw: { width, height, channels } })
}

async function resizePicture(bytes: Buffer, box: Box & Partial<Frame>, deep = false) {
  const header = await readHeader(bytes)
  const image = await openImage(bytes, header, header.codec)
  const pixels = (await resize(image, { background: '#ffffff', ...box })).toColourspace(deep ? 'rgb16' : 'srgb')
  const { data, info } = await pixels.raw({ depth: deep ? 'ushort' : 'uchar' }).toBuffer({ resolveWithObject: true })
  const samples = deep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data
  const at = (x: number, y: number) => [...samples.subarray((y * info.width + x) * info.channels).subarray(0, info.channels)]
  return { ...info, at }
}

const near = (actual: readonly number[], expected: readonly number[], tolerance: number, what = '') =>
  assert.ok(
    actual.length === expected.length && actual.every((value, at) => Math.abs(value - (expected[at] ?? 0)) <= tolerance),
    `${what} [${actual}] instead of [${expected}]`,
  )

const checkerboard: Paint = (x, y) => ((x + y) % 2 ? 255 : 0)
const opaque = (width: number, height: number) => ({ width, height, channels: 3 }) as const
const clear = (width: number, height: number) => ({ width, height, channels: 4 }) as const

for (const side of [40, 250]) {
  test(`black and white pixels side by side average to 188, at ${side} pixels`, async () => {
    const image = await paintPicture(opaque(600, 600), checkerboard).png().toBuffer()
    for (const fit of ['inside', 'cover', 'fill'] as const) {
      const { at, width } = await resizePicture(image, { width: side, height: side, fit })
      assert.equal(width, side)
      near(at(side / 2, side / 2), [188, 188, 188], 1, fit)
    }
  })
}

test('extra channels of a TIFF are dropped', async () => {
  const pixels = Buffer.concat(Array.from({ length: 64 * 64 }, () => Buffer.from([200, 100, 50, 128, 77])))
  const image = tiffOf({ ...baseline(64, 64, 5, 8), 338: [2, 0] }, [pixels])
  const { at, channels } = await resizePicture(image, { width: 16, height: 16, fit: 'fill' })
  assert.equal(channels, 4)
  near(at(8, 8), [200, 100, 50, 128], 1)
})

test('the border that contain adds has its colour, also with resizing in linear light', async () => {
  const image = await paintPicture(opaque(400, 200), checkerboard).png().toBuffer()
  const { at, width, height } = await resizePicture(image, { width: 100, height: 100, fit: 'contain', background: '#804020' })
  assert.deepEqual([width, height], [100, 100])
  near(at(50, 5), [128, 64, 32], 0)
  near(at(50, 50), [188, 188, 188], 1)
})

test('a soft gradient keeps its samples', async () => {
  const soft: Paint = (x, y, channel) => 128 + 60 * Math.sin(x / 40 + channel) + 40 * Math.cos(y / 50)
  const image = await paintPicture(opaque(600, 600), soft).png().toBuffer()
  const { at } = await resizePicture(image, { width: 300, height: 300, fit: 'fill' })
  for (const [x, y] of [
    [20, 30],
    [150, 150],
    [280, 40],
  ] as const) {
    const expected = [0, 1, 2].map((channel) => soft(2 * x + 0.5, 2 * y + 0.5, channel))
    near(at(x, y), expected, 1.5)
  }
})

/** Detail that PNG cannot predict, from a fixed seed: with this much a picture is dense. */
function noise(amplitude: number): Paint {
  let state = 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return 128 + amplitude * (state / 2_147_483_647 - 0.5)
  }
}

test('a PNG of strong detail is shrunk in linear light, as dense as it may be', async () => {
  const random = noise(255)
  const image = await paintPicture(opaque(600, 600), (x, y, channel) => (x % 300 < 100 ? random(x, y, channel) : 255))
    .png()
    .toBuffer()
  const { at } = await resizePicture(image, { width: 300, height: 300, fit: 'fill' })
  const samples = Array.from({ length: 40 * 280 }, (_, nth) => at(5 + (nth % 40), 10 + Math.floor(nth / 40))[0] ?? 0)
  const mean = samples.reduce((sum, sample) => sum + sample, 0) / samples.length
  // The mean of the samples is 128. The mean of their light is the sample 156, and varies from pixel to pixel.
  assert.ok(mean > 138, `${mean}`)
})

test('a JPEG is reduced by its decoder, and its thumbnail is still made in linear light', async () => {
  const stripes: Paint = (x) => (x % 32 < 16 ? 255 : 0)
  const image = await paintPicture(opaque(1_280, 1_280), stripes).jpeg({ quality: 100 }).toBuffer()
  const { at } = await resizePicture(image, { width: 40, height: 40, fit: 'fill' })
  // Twice the result's size is where light begins: what the decoder has reduced before that stays 128.
  assert.ok((at(20, 20)[0] ?? 0) > 155)
})

const ramp: Paint = (x) => 20 + 8 * x

for (const scale of [2, 3.7, 1.25]) {
  test(`enlarged ${scale} times, a ramp stays where it is`, async () => {
    const image = await paintPicture(opaque(24, 20), ramp).png().toBuffer()
    const width = Math.round(24 * scale)
    const { at } = await resizePicture(image, { width, height: Math.round(20 * scale), fit: 'fill' })
    for (let x = Math.ceil(4 * scale); x < width - 4 * scale; x++) {
      const value = ramp(((x + 0.5) * 24) / width - 0.5, 0, 0)
      near(at(x, Math.round(10 * scale)), [value, value, value], 1, `column ${x}`)
    }
  })

  test(`enlarged ${scale} times, a symmetrical picture stays symmetrical`, async () => {
    const spot: Paint = (x, y) => 255 * Math.exp(-((x - 12) ** 2 + (y - 12) ** 2) / 8)
    const image = await paintPicture(opaque(25, 25), spot).png().toBuffer()
    const side = Math.round(25 * scale)
    const { at } = await resizePicture(image, { width: side, height: side, fit: 'fill' })
    for (let x = 0; x < side; x++) {
      const y = Math.floor(side / 3)
      near(at(x, y), at(side - 1 - x, y), 1, `across at ${x}`)
      near(at(x, y), at(x, side - 1 - y), 1, `down at ${x}`)
    }
  })
}

test('one colour stays that colour to the edges, however it is enlarged', async () => {
  const image = await paintPicture(opaque(7, 5), (_x, _y, channel) => [10, 128, 250][channel] ?? 0)
    .png()
    .toBuffer()
  for (const box of [
    { width: 64, height: 50, fit: 'fill' },
    { width: 50, height: 3, fit: 'fill' },
    { width: 33, fit: 'inside' },
  ] as const) {
    const { at, width, height } = await resizePicture(image, box)
    for (const x of [0, width >> 1, width - 1]) for (const y of [0, height - 1]) near(at(x, y), [10, 128, 250], 0)
  }
})

test('cover enlarges the middle only: a line a pixel high does not become ten thousand lines', async () => {
  const image = await paintPicture(opaque(1_001, 1), (x) => (x < 495 || x > 505 ? 0 : 255))
    .png()
    .toBuffer()
  const { at, width, height } = await resizePicture(image, { width: 500, height: 1_000, fit: 'cover' })
  assert.deepEqual([width, height], [500, 1_000])
  near(at(250, 500), [255, 255, 255], 0)
})

for (const [width, height] of [
  [300, 100],
  [100, 300],
] as const) {
  test(`cover enlarges to ${width} × ${height} and keeps the middle`, async () => {
    const isMiddle = (at: number) => at >= 40 && at < 60
    const image = await paintPicture(opaque(100, 100), (x, y) => (isMiddle(x) && isMiddle(y) ? 255 : 0))
      .png()
      .toBuffer()
    const { at, ...size } = await resizePicture(image, { width, height, fit: 'cover' })
    assert.deepEqual([size.width, size.height], [width, height])
    near(at(width / 2, height / 2), [255, 255, 255], 0)
    for (const [x, y] of [
      [width / 2, 0],
      [width / 2, height - 1],
      [0, height / 2],
      [width - 1, height / 2],
    ] as const)
      near(at(x, y), [0, 0, 0], 0, `${x}, ${y}`)
  })
}

for (const [what, from, to] of [
  ['enlarged', 20, 50],
  ['shrunk', 600, 40],
  ['shrunk to a larger picture', 900, 300],
] as const) {
  test(`${what}, a bright shape on nothing has no dark fringe`, async () => {
    // What is clear is black, as most programs write it: it must not show.
    const shape: Paint = (x, y, channel) => (Math.hypot(x - from / 2, y - from / 2) < from / 3 ? 255 : channel === 3 ? 0 : 0)
    const image = await paintPicture(clear(from, from), shape).png().toBuffer()
    const { at } = await resizePicture(image, { width: to, height: to, fit: 'fill' })
    let edges = 0
    for (let x = 0; x < to; x++) {
      for (let y = 0; y < to; y++) {
        const [r, g, b, alpha = 0] = at(x, y)
        if (alpha < 16 || alpha > 239) continue
        edges++
        near([r ?? 0, g ?? 0, b ?? 0], [255, 255, 255], 16, `alpha ${alpha}`)
      }
    }
    assert.ok(edges > 20)
  })
}

for (const [what, from, to] of [
  ['enlarged', 30, 60],
  ['shrunk', 120, 60],
] as const) {
  test(`${what}, 16 bits are 16 bits`, async () => {
    const raw = { width: from, height: from, channels: 3 } as const
    const fine = Uint16Array.from({ length: from * from * 3 }, (_, at) => 20_000 + (Math.floor(at / 3) % from) * (600 / from))
    const image = await sharp(fine, { raw }).toColourspace('rgb16').png().toBuffer()
    const { at } = await resizePicture(image, { width: to, height: to, fit: 'fill' }, true)
    const values = new Set(Array.from({ length: to }, (_, x) => at(x, 30)[0] ?? 0))
    // The whole ramp is two steps of 8 bits.
    assert.ok(values.size > 50, `${values.size} shades`)
    for (let x = 10; x < to - 10; x++) near([at(x, 30)[0] ?? 0], [20_000 + (((x + 0.5) * from) / to - 0.5) * (600 / from)], 12)
  })
}

for (const side of [20, 250]) {
  test(`an animation of 100 pixels keeps its frames at ${side}`, async () => {
    const colours = [
      [255, 0, 0],
      [0, 255, 0],
      [0, 0, 255],
    ]
    const frames = colours.map((colour) =>
      paintPicture(opaque(100, 100), (_x, _y, channel) => colour[channel] ?? 0)
        .png()
        .toBuffer(),
    )
    const image = await sharp(await Promise.all(frames), { join: { animated: true } })
      .webp({ lossless: true })
      .toBuffer()
    const { at, height, channels } = await resizePicture(image, { width: side, height: side, fit: 'inside' })
    assert.equal(height, 3 * side)
    for (const [frame, colour] of colours.entries()) {
      const expected = channels === 4 ? [...colour, 255] : colour
      // Enlarged, they are worked on one by one: none shows at the edge of the next.
      const rows = side > 100 ? [0, side >> 1, side - 1] : [side >> 1]
      for (const row of rows) near(at(3, frame * side + row), expected, 2, `frame ${frame}, row ${row}`)
    }
  })
}
