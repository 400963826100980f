import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '../src/index.ts'
import { readHeader } from '../src/pixels/header.ts'
import { openImage } from '../src/pixels/open.ts'
import { baseline, packBits, tiffOf } from './support/tiff.ts'

/** What the numbers of a TIFF mean: signed ones, channels that no field names, and differences of odd depths. */

async function samplesOf(file: Buffer) {
  const header = await readHeader(file)
  const { pixels } = await openImage(file, header, codecs.png)
  const space = header.grey ? 'grey16' : 'rgb16'
  const { data, info } = await pixels.toColourspace(space).raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })
  const samples = [...new Uint16Array(data.buffer, data.byteOffset, data.length / 2)]
  return { samples, channels: info.channels, alpha: header.alpha }
}

const bytesOf = (numbers: Int16Array | Int32Array | Uint16Array): Uint8Array => new Uint8Array(numbers.buffer)
const SIGNED = [-32_768, -16_384, -1, 0, 1, 32_767]
const FROM_BLACK = [0, 16_384, 32_767, 32_768, 32_769, 65_535]
const COUNT = SIGNED.length
const GREY = 1
const INKS = 5
const PALETTE = 3

test('signed numbers from 16 bits on count from black, whatever the colours', async () => {
  const grey = { ...baseline(COUNT, 1, 1, 16), 339: [2] }
  assert.deepEqual((await samplesOf(tiffOf(grey, [bytesOf(Int16Array.from(SIGNED))]))).samples, FROM_BLACK)
  const white = { ...grey, 262: [0] }
  const inverse = FROM_BLACK.map((value) => 65_535 - value)
  assert.deepEqual((await samplesOf(tiffOf(white, [bytesOf(Int16Array.from(SIGNED))]))).samples, inverse)
  const rgb = { ...baseline(COUNT, 1, 3, 16), 339: [2, 2, 2] }
  const three = SIGNED.flatMap((value) => [value, value, value])
  const { samples } = await samplesOf(tiffOf(rgb, [bytesOf(Int16Array.from(three))]))
  assert.deepEqual(
    samples.filter((_, index) => index % 3 === 0),
    FROM_BLACK,
  )
  const long = { ...baseline(COUNT, 1, 1, 32), 339: [2] }
  const wide = SIGNED.map((value) => value * 65_536)
  assert.deepEqual((await samplesOf(tiffOf(long, [bytesOf(Int32Array.from(wide))]))).samples, FROM_BLACK)
})

test('signed numbers of 8 bits are read as unsigned ones, as libtiff reads them', async () => {
  const file = tiffOf({ ...baseline(4, 1, 1, 8), 339: [2] }, [Uint8Array.of(0, 100, 200, 255)])
  assert.deepEqual(
    (await samplesOf(file)).samples,
    [0, 100, 200, 255].map((value) => value * 257),
  )
})

const UNSPECIFIED = 0
const rows: readonly (readonly [
  name: string,
  fields: Record<number, readonly number[]>,
  data: readonly number[],
  channels: number,
])[] = [
  ['grey', { ...baseline(2, 1, 2, 8), 262: [GREY] }, [10, 0, 20, 128], 1],
  ['RGB', baseline(2, 1, 4, 8), [10, 20, 30, 0, 40, 50, 60, 128], 3],
  ['RGB in two channels more', { ...baseline(2, 1, 5, 8), 338: [0, 0] }, [10, 20, 30, 0, 9, 40, 50, 60, 128, 9], 3],
  ['CMYK', { ...baseline(2, 1, 5, 8), 262: [INKS] }, [0, 0, 0, 0, 0, 0, 0, 0, 0, 128], 3],
  [
    'a palette',
    { ...baseline(2, 1, 2, 8), 262: [PALETTE], 320: Array.from({ length: 768 }, (_, index) => (index % 256) * 257) },
    [10, 0, 20, 128],
    3,
  ],
]
for (const [name, fields, data, channels] of rows)
  test(`an unspecified channel beside ${name} is not alpha; a named one is`, async () => {
    const unspecifiedExtra = await samplesOf(tiffOf({ 338: [UNSPECIFIED], ...fields }, [Uint8Array.from(data)]))
    assert.deepEqual([unspecifiedExtra.alpha, unspecifiedExtra.channels], [false, channels])
    const alphaExtra = await samplesOf(tiffOf({ ...fields, 338: [2] }, [Uint8Array.from(data)]))
    assert.ok(alphaExtra.alpha && alphaExtra.channels !== channels)
  })

test('a further channel of a file without the field is alpha, as old writers meant it', async () => {
  const { samples, alpha } = await samplesOf(tiffOf(baseline(1, 1, 4, 8), [Uint8Array.of(10, 20, 30, 128)]))
  assert.deepEqual([alpha, (samples[3] ?? 0) >> 8], [true, 128])
})

test('differences of 12 bits wrap as those of whole bytes do', async () => {
  const values = [100, 4_000, 50, 2_000, 4_095, 0]
  const differences = values.map((value, index) => (value - (values[index - 1] ?? 0) + 4_096) % 4_096)
  const expected = values.map((value) => Math.round((value * 65_535) / 4_095))
  const grey = tiffOf({ ...baseline(6, 1, 1, 12), 317: [2] }, [packBits(differences, 12)])
  assert.deepEqual((await samplesOf(grey)).samples, expected)
  const six = values.flatMap((value) => [value, 4_095 - value, 7])
  const spread = six.map((value, index) => (value - (six[index - 3] ?? 0) + 4_096) % 4_096)
  const rgb = tiffOf({ ...baseline(6, 1, 3, 12), 317: [2] }, [packBits(spread, 12)])
  assert.deepEqual(
    (await samplesOf(rgb)).samples,
    six.map((value) => Math.round((value * 65_535) / 4_095)),
  )
})
