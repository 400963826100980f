import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { removeBackground } from '../../src/matting/remove-background.ts'
import { type CutOut, testCutOut } from './cut-out.ts'
import {
  blue,
  disc,
  draw,
  drifting,
  grey,
  noisy,
  overlap,
  type Rgb,
  red,
  ring,
  type Shade,
  type Shape,
  SIDE,
} from './drawings.ts'

const separable: readonly CutOut[] = [
  ['a disc on a plain ground', disc, red, grey, 0.97],
  ['a ring: its hole is background too', ring, red, drifting, 0.95],
]
for (const row of separable) testCutOut(row)

test('has no colour where it is transparent, and is opaque inside', async () => {
  const { data } = await removeBackground(draw(disc, red, grey))
  let clear = 0
  for (let at = 0; at < data.length; at += 4) {
    if (data[at + 3] !== 0) continue
    clear++
    assert.deepEqual([...data.subarray(at, at + 4)], [0, 0, 0, 0])
  }
  assert.ok(clear > SIDE * SIDE * 0.6)
  assert.equal(data[(92 * SIDE + 104) * 4 + 3], 255)
})

test('removes the background from the colours along a soft outline', async () => {
  const radius = (x: number, y: number) => Math.hypot(x - 104, y - 92)
  const opacity = (x: number, y: number) => Math.max(0, Math.min(1, (62 - radius(x, y)) / 4))
  const blend: Shade = (x, y) => {
    const from = blue(x, y)
    const to = red(x, y)
    const share = opacity(x, y)
    return [0, 1, 2].map(
      (channel) => (from[channel] ?? 0) + ((to[channel] ?? 0) - (from[channel] ?? 0)) * share,
    ) as unknown as Rgb
  }
  const { data } = await removeBackground(draw(() => true, blend, blend))
  let error = 0
  let stain = 0
  let mixedPixels = 0
  for (let pixel = 0; pixel < SIDE * SIDE; pixel++) {
    const expectedOpacity = opacity(pixel % SIDE, Math.floor(pixel / SIDE))
    if (expectedOpacity < 0.2 || expectedOpacity > 0.8) continue
    error += Math.abs(expectedOpacity - (data[pixel * 4 + 3] ?? 0) / 255)
    stain += Math.max(0, (data[pixel * 4 + 2] ?? 0) - 38) / (170 - 38)
    mixedPixels++
  }
  assert.ok(error / mixedPixels < 0.06, `opacity is off by ${error / mixedPixels}`)
  assert.ok(stain / mixedPixels < 0.1, `${stain / mixedPixels} of the blue is left`)
})

test('has no confidence where subject and background cannot be separated', async () => {
  const clutter = noisy(120)
  const speckles: Shade = () => [clutter(128), clutter(128), clutter(128)]
  for (const shade of [grey, speckles]) {
    // Noise takes the longest of all, and its confidence is the same in a small picture.
    const { confidence } = await removeBackground(draw(() => false, grey, shade, 80))
    assert.ok(confidence < 0.7, `confidence ${confidence}`)
  }
})

/** A pale box with a label, before the same white. */
const box: Shape = (x, y) => Math.abs(x - 100) < 50 && Math.abs(y - 100) < 70
const label: Shape = (x, y) => Math.abs(x - 100) < 28 && Math.abs(y - 110) < 24
const boxWithLabel =
  (pale: Rgb): Shade =>
  (x, y) =>
    label(x, y) ? [40, 90, 80] : box(x, y) ? pale : [252, 252, 252]

test('has low confidence for a subject in the colour of its background, and high confidence otherwise', async () => {
  const white = await removeBackground(draw(() => false, grey, boxWithLabel([241, 241, 242])))
  assert.ok(overlap(white, box) < 0.5 && white.confidence < 0.7, `confidence ${white.confidence}`)
  const brown = await removeBackground(draw(() => false, grey, boxWithLabel([150, 110, 70])))
  assert.ok(overlap(brown, box) > 0.95 && brown.confidence >= 0.7, `confidence ${brown.confidence}`)
})

test('does not take soft shadows or the steps of a smooth wall for edges of the subject', async () => {
  const wall =
    '<linearGradient id="wall" x2="0" y2="1"><stop stop-color="#7d7657"/><stop offset="1" stop-color="#746c50"/></linearGradient>'
  const things =
    '<ellipse cx="104" cy="176" rx="50" ry="7" opacity=".4" filter="url(#soft)"/><circle cx="104" cy="92" r="60" fill="#e0953a"/>'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}"><filter id="soft"><feGaussianBlur stdDeviation="3.5"/></filter>${wall}<path d="M0 0h${SIDE}v${SIDE}H0Z" fill="url(#wall)"/>${things}</svg>`
  const drawing = await sharp(Buffer.from(svg))
    .removeAlpha()
    .blur(1.5)
    .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
    .toBuffer()
  const cut = await removeBackground(sharp(drawing))
  assert.ok(overlap(cut, disc) > 0.95 && cut.confidence >= 0.7, `IoU ${overlap(cut, disc)}, confidence ${cut.confidence}`)
})

test('keeps the background below the requested confidence', async () => {
  const { data, confidence } = await removeBackground(draw(disc, red, grey), 1)
  assert.ok(confidence < 1)
  for (let at = 3; at < data.length; at += 4) assert.equal(data[at], 255)
})

for (const [width, height] of [
  [1, 1],
  [2, 1],
  [1, 300],
  [3, 3],
] as const) {
  test(`accepts a picture of ${width} × ${height}`, async () => {
    const { data, confidence } = await removeBackground(sharp({ create: { width, height, channels: 3, background: '#c33' } }))
    assert.equal(data.length, width * height * 4)
    assert.ok(confidence >= 0 && confidence < 0.7)
  })
}

test('leaves a picture with transparency unchanged', async () => {
  const create = { width: 40, height: 20, channels: 4, background: '#12345600' } as const
  const square = await sharp({ create: { ...create, width: 10, height: 10, background: '#ff8000' } })
    .png()
    .toBuffer()
  const half = await sharp({ create: { ...create, width: 10, height: 10, background: '#00ff0080' } })
    .png()
    .toBuffer()
  const pixels = sharp({ create }).composite([
    { input: square, left: 5, top: 5 },
    { input: half, left: 20, top: 5 },
  ])
  const { data, confidence } = await removeBackground(sharp(await pixels.png().toBuffer()))
  const at = (x: number, y: number) => [...data.subarray((y * 40 + x) * 4, (y * 40 + x) * 4 + 4)]
  assert.equal(confidence, 1)
  assert.deepEqual(
    [at(7, 7), at(22, 7), at(0, 0)],
    [
      [255, 128, 0, 255],
      [0, 255, 0, 128],
      [0, 0, 0, 0],
    ],
  )
  const none = await removeBackground(sharp({ create }))
  assert.deepEqual([none.confidence, none.data.every((sample) => sample === 0)], [1, true])
})
