import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { codecs, recognise } from '../../src/index.ts'
import { readPixels } from '../../src/pixels/from-bitmap.ts'
import { readHeader } from '../../src/pixels/header.ts'
import { qoi } from '../../src/qoi/index.ts'
import { qoiReader } from '../../src/qoi/reader.ts'
import { UnreadableError } from '../../src/reader.ts'
import { randomFrom } from '../support/damage.ts'
import { photo, solid } from '../support/pictures.ts'

const settings = { quality: undefined, megapixels: 1, animation: undefined }
const write = async (pixels: Sharp): Promise<Buffer> => (await qoi.encode(pixels, settings)).bytes
const rgbaOf = (pixels: Sharp) => pixels.clone().toColourspace('srgb').ensureAlpha().raw().toBuffer()
const rgba = async (file: Buffer) => rgbaOf((await readPixels(qoiReader, file)).pixels)

const END = [0, 0, 0, 0, 0, 0, 0, 1]
const file = (width: number, height: number, channels: number, space: number, ...body: readonly number[]): Buffer => {
  const head = Buffer.alloc(14)
  head.write('qoif', 'latin1')
  head.writeUInt32BE(width, 4)
  head.writeUInt32BE(height, 8)
  head.writeUInt8(channels, 12)
  head.writeUInt8(space, 13)
  return Buffer.concat([head, Buffer.from([...body, ...END])])
}

/** Pixels near to each other, or not, in runs, with and without alpha. */
function drawColours(width: number, height: number, channels: 3 | 4, seed: number): Sharp {
  const random = randomFrom(seed)
  const pixels: number[] = []
  let colour = [0, 0, 0, 255]
  while (pixels.length < width * height * channels) {
    const reach = [2, 12, 256][random(3)] as number
    colour = colour.map((value, at) => (at === 3 && random(4) > 0 ? value : (value + random(reach) - (reach >> 1)) & 255))
    const run = random(5) === 0 ? random(200) : 1
    for (let nth = 0; nth < run; nth++) pixels.push(...colour.slice(0, channels))
  }
  return sharp(Uint8Array.from(pixels.slice(0, width * height * channels)), { raw: { width, height, channels } })
}

describe('written and read as it was', async () => {
  const cases: readonly (readonly [name: string, pixels: Sharp])[] = [
    ['a photograph', photo(61, 47)],
    ['one colour, in runs over several chunks', solid(300, 5, '#123456')],
    ['black from the first pixel on', solid(70, 1, '#000')],
    ['transparency', solid(5, 3, '#12345680')],
    ['full alpha', solid(5, 3, '#123456').ensureAlpha()],
    ['grey', sharp(await photo(31, 17).grayscale().png().toBuffer())],
    ...[1, 2, 3, 4].map((seed) => [`colours of the seed ${seed}`, drawColours(83, 29, 3, seed)] as const),
    ...[5, 6, 7, 8].map((seed) => [`colours with alpha, of the seed ${seed}`, drawColours(83, 29, 4, seed)] as const),
  ]
  for (const [name, pixels] of cases) {
    test(name, async () => {
      // The noise of a photograph is another one each time it is drawn.
      const still = sharp(await pixels.png().toBuffer())
      const bytes = await write(still.clone())
      assert.equal(recognise(bytes), codecs.qoi)
      assert.deepEqual([...bytes.subarray(-8)], END)
      assert.deepEqual(await rgba(bytes), await rgbaOf(still))
    })
  }
})

test('every chunk of the specification is read', async () => {
  // Red by RGB, then one level more of each channel, 10 of green with less of the others, translucent red, red by its index, 3 times red.
  const bytes = file(8, 1, 4, 0, 0xfe, 255, 0, 0, 0x7f, 0xaa, 0x75, 0xff, 255, 0, 0, 128, (255 * 3 + 255 * 11) % 64, 0xc2)
  const pixels = [...(await rgba(bytes))]
  const [red, more, luma, half, again] = [0, 4, 8, 12, 16].map((at) => pixels.slice(at, at + 4))
  assert.deepEqual(red, [255, 0, 0, 255])
  // Beyond 255 a channel begins again at 0.
  assert.deepEqual(more, [0, 1, 1, 255])
  assert.deepEqual(luma, [10 - 1, 1 + 10, 1 + 10 - 3, 255])
  assert.deepEqual(half, [255, 0, 0, 128])
  assert.deepEqual(again, [255, 0, 0, 255])
  assert.deepEqual(pixels.slice(20), [...red, ...red, ...red])
})

test('of a file with three channels, alpha is not shown', async () => {
  const bytes = file(2, 1, 3, 0, 0xff, 9, 8, 7, 0, 0xc0)
  assert.equal((await readHeader(bytes)).alpha, false)
  assert.deepEqual([...(await rgba(bytes))], [9, 8, 7, 255, 9, 8, 7, 255])
})

test('linear channels are converted to sRGB', async () => {
  const [red, green, blue] = await rgba(file(1, 1, 3, 1, 0xfe, 55, 128, 255))
  assert.deepEqual(
    [red, green, blue].map((value, at) => Math.abs((value ?? 0) - ([128, 188, 255][at] as number)) <= 2),
    [true, true, true],
  )
})

test('a file that ends before its pixels is refused, and bytes behind them are not looked at', async () => {
  const whole = await write(drawColours(40, 20, 4, 9))
  const pixels = await rgba(whole)
  for (let length = 0; length < whole.length - END.length; length += 3)
    await assert.rejects(qoiReader.decode(whole.subarray(0, length)), UnreadableError, String(length))
  assert.deepEqual(await rgba(whole.subarray(0, -END.length)), pixels)
  assert.deepEqual(await rgba(Buffer.concat([whole, Buffer.alloc(100, 0xfe)])), pixels)
})

test('what a header says is checked before anything is allocated', async () => {
  const bad: Readonly<Record<string, Buffer>> = {
    'no width': file(0, 1, 3, 0, 0xc0),
    'no height': file(1, 0, 3, 0, 0xc0),
    'two channels': file(1, 1, 2, 0, 0xc0),
    'an unknown colour space': file(1, 1, 3, 2, 0xc0),
    'more pixels than its bytes can hold': file(8_000, 8_000, 4, 0, 0xc0),
  }
  for (const [what, bytes] of Object.entries(bad)) await assert.rejects(qoiReader.header(bytes), UnreadableError, what)
  for (const size of [9_000, 0xffff_ffff])
    await assert.rejects(readHeader(file(size, size, 4, 0, 0xc0)), (error: { code?: string }) => error.code === 'image_too_large')
})

test('damaged files are read or refused, and nothing else happens', async () => {
  const random = randomFrom(11)
  const whole = await write(photo(40, 30))
  for (let nth = 0; nth < 300; nth++) {
    const damagedFile = Buffer.from(whole)
    for (let times = 0; times < 3; times++) damagedFile[14 + random(damagedFile.length - 14)] = random(256)
    await qoiReader.decode(damagedFile).catch((error) => assert.ok(error instanceof UnreadableError, String(error)))
  }
})
