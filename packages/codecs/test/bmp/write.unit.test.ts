import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { bmp } from '../../src/bmp/index.ts'
import { recognise } from '../../src/index.ts'
import { tryOut } from '../support/attempts.ts'
import { readRgba } from '../support/bmp.ts'
import { randomFrom } from '../support/damage.ts'
import { photo, solid } from '../support/pictures.ts'

const settings = { deep: false, source: undefined, quality: 100, megapixels: 1, animation: undefined, plain: true }
const write = async (pixels: Sharp): Promise<Buffer> => (await bmp.encode(pixels, settings)).bytes
const rgbaOf = (pixels: Sharp) => pixels.clone().toColourspace('srgb').ensureAlpha().raw().toBuffer()
const LENGTH_AT = 14
const BITS_AT = 28
const COMPRESSION_AT = 30
const COLOURS_AT = 46
const headerFields = (file: Buffer) => [
  file.readUInt32LE(LENGTH_AT),
  file.readUInt16LE(BITS_AT),
  file.readUInt32LE(COMPRESSION_AT),
]

/** Pixels by a number each: of `colours` of them, in runs of random lengths. */
function indexedPicture(width: number, height: number, colours: number, longest: number, seed = 1): Sharp {
  const random = randomFrom(seed)
  const palette = Array.from({ length: colours }, (_, index) => [
    (index * 37 + (index >> 8)) & 255,
    (index * 91 + 5) & 255,
    index & 255,
  ])
  const pixels: number[] = []
  while (pixels.length < width * height * 3) {
    const colour = palette[random(colours)] ?? []
    for (let run = 1 + random(longest); run > 0; run--) pixels.push(...colour)
  }
  return sharp(Uint8Array.from(pixels.slice(0, width * height * 3)), { raw: { width, height, channels: 3 } })
}

const losslessCases: readonly (readonly [
  name: string,
  pixels: Sharp,
  header: readonly [length: number, bits: number, compression: number],
])[] = [
  ['a photograph', photo(31, 17), [40, 24, 0]],
  ['one colour', solid(7, 5, '#123456'), [40, 1, 0]],
  ['2 colours', indexedPicture(33, 9, 2, 3), [40, 1, 0]],
  ['3 colours', indexedPicture(33, 9, 3, 3), [40, 4, 0]],
  ['16 colours', indexedPicture(33, 9, 16, 3), [40, 4, 0]],
  ['17 colours', indexedPicture(33, 9, 17, 3), [40, 8, 0]],
  ['256 colours', indexedPicture(64, 64, 256, 3), [40, 8, 0]],
  ['257 colours', indexedPicture(64, 64, 257, 3), [40, 24, 0]],
  ['transparency', solid(5, 3, '#12345680'), [124, 32, 3]],
  ['alpha that is full everywhere', solid(5, 3, '#123456').ensureAlpha(), [40, 1, 0]],
  ['grey', photo(31, 17).toColourspace('b-w'), [40, 8, 0]],
  ['grey with transparency', sharp(await photo(31, 17).grayscale().ensureAlpha(0.5).png().toBuffer()), [124, 32, 3]],
]
for (const [name, pixels, header] of losslessCases) {
  test(`${name}: written in ${header[1]} bits, and read as it was`, async () => {
    const source = sharp(await pixels.png().toBuffer())
    const space = (await source.metadata()).space === 'b-w' ? 'b-w' : 'srgb'
    const file = await write(source.clone().toColourspace(space))
    assert.equal(recognise(file), bmp)
    assert.deepEqual(headerFields(file), header)
    assert.equal(file.readUInt32LE(2), file.length)
    assert.deepEqual(await readRgba(file), await rgbaOf(source))
    for (const attempt of bmp.candidates(source, settings))
      assert.deepEqual(await readRgba((await tryOut(attempt)).bytes), await rgbaOf(source))
  })
}

test('the answer names its size', async () => {
  const { width, height } = await bmp.encode(solid(7, 5, '#123456'), settings)
  assert.deepEqual([width, height], [7, 5])
})

const smallest = async (pixels: Sharp, quality = 100) => {
  const results = await Promise.all(bmp.candidates(pixels, { ...settings, quality }).map(tryOut))
  return results.map(({ bytes }) => bytes).toSorted((a, b) => a.length - b.length)[0] ?? Buffer.alloc(0)
}

for (const [colours, compression] of [
  [2, 2],
  [16, 2],
  [200, 1],
] as const) {
  test(`long runs of ${colours} colours are written as runs`, async () => {
    const pixels = indexedPicture(301, 40, colours, 90)
    const file = await smallest(pixels)
    const plain = await write(pixels)
    assert.deepEqual(headerFields(file), [40, compression === 2 ? 4 : 8, compression])
    assert.ok(file.length < plain.length / 2)
    assert.deepEqual(await readRgba(file), await rgbaOf(pixels))
  })
}

test('runs and pixels written out, mixed at random, are read as they were', async () => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = randomFrom(seed)
    const pixels = indexedPicture(1 + random(700), 1 + random(4), 2 + random(200), 1 + random(30), seed)
    const file = await smallest(pixels)
    assert.ok(file.length <= (await write(pixels)).length)
    assert.deepEqual(await readRgba(file), await rgbaOf(pixels), String(seed))
  }
})

test('a run is as long as 255 pixels, and so is what is written out', async () => {
  const line = Buffer.concat([
    Buffer.alloc(600, 0),
    ...Array.from({ length: 300 }, (_, index) => Buffer.alloc(2, 1 + (index % 99))),
    Buffer.alloc(9000, 7),
  ])
  const pixels = sharp(line, { raw: { width: line.length, height: 1, channels: 1 } }).toColourspace('b-w')
  const file = await smallest(pixels)
  assert.equal(file.readUInt32LE(COMPRESSION_AT), 1)
  assert.deepEqual(await readRgba(file), await rgbaOf(pixels))
})

test('a quality below 100 gives up colours, the fewer the lower', async () => {
  const picture = photo(200, 150)
  const source = sharp(await picture.png().toBuffer())
  const lossless = await smallest(source)
  const high = await smallest(source, 90)
  const low = await smallest(source, 10)
  assert.equal(lossless.readUInt16LE(BITS_AT), 24)
  assert.equal(high.readUInt16LE(BITS_AT), 8)
  assert.ok(high.length < lossless.length / 2 && low.length <= high.length)
  assert.ok(low.readUInt32LE(COLOURS_AT) < high.readUInt32LE(COLOURS_AT))
  const before = await rgbaOf(source)
  const after = await readRgba(high)
  const error = before.reduce((sum, sample, at) => sum + (sample - (after[at] ?? 0)) ** 2, 0) / before.length
  assert.ok(error < 60, String(error))
})

test('transparency is never given up for a palette', async () => {
  const source = sharp(await photo(60, 40).ensureAlpha(0.5).png().toBuffer())
  for (const attempt of bmp.candidates(source, { ...settings, quality: 50, plain: false })) {
    assert.deepEqual(await readRgba((await tryOut(attempt)).bytes), await rgbaOf(source))
  }
})
