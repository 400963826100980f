import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UnreadableError } from '../src/reader.ts'
import { tiffReader } from '../src/tiff/reader.ts'
import { randomFrom } from './support/damage.ts'
import { baseline, type Fields, tiffOf } from './support/tiff.ts'

/** Lossless JPEG in TIFF, as of scanners and medical devices. */

const WIDTH = 8
const HEIGHT = 6
const ramp = Array.from({ length: WIDTH * HEIGHT }, (_, at) => (Math.floor(at / WIDTH) * 500 + (at % WIDTH) * 97) % 4_096)

/** The ramp in 12 bits by libjpeg-turbo: from its start to the code lengths, and then for each predictor codes and pixels. */
const HEAD = 'ffd8ffe000104a46494600010100000100010000ffc3000b0c0006000801011100'
const streams: readonly string[] = [
  'ffc40016000101010000000000000000000000000007090cffda0008010100010000cffec2c2c2c2c2c2c37d185858585858586fa30b0b0b0b0b0b0df461616161616161be8c2c2c2c2c2c2c37d185858585858587ffd9',
  'ffc40016000101010000000000000000000000000009070cffda0008010100020000cfff0061b0d86c361b0d85f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d1f47d3ffd9',
  'ffc4001700010101010000000000000000000000000a07090cffda0008010100030000e7ff00b0d86c361b0d86c3be89552aa554aa9552aa55df44aa9552aa554aa9552aefa2554aa9552aa554aa9577d12aa554aa9552aa554abbe89552aa554aa9552aa55fffd9',
  'ffc4001700010101010000000000000000000000000007090cffda0008010100040000e7ff00b0d86c361b0d86c3be8037d006fa00df401be803ffd9',
  'ffc4001700010101010000000000000000000000000607090cffda0008010100050000e7ff00b0d86c361b0d86c3be8c58b162c58b1df462c58b162c58efa3162c58b162c77d18b162c58b163be8c58b162c58b1ffd9',
  'ffc4001700010101010000000000000000000000000807090cffda0008010100060000e7ff00b0d86c361b0d86c3be8fa7d3e9f4fa7d3eb7d1f4fa7d3e9f4fa7d6fa3e9f4fa7d3e9f4fadf47d3e9f4fa7d3e9f5be8fa7d3e9f4fa7d3ebffd9',
  'ffc40016000101010000000000000000000000000009070cffda0008010100070000cfff0061b0d86c361b0d85f44ad2b4ad2b4ad2b4adf44ad2b4ad2b4ad2b4adf44ad2b4ad2b4ad2b4adf44ad2b4ad2b4ad2b4adf44ad2b4ad2b4ad2b4afffd9',
]

const stream = (predictor: number) => Buffer.from(HEAD + (streams[predictor - 1] ?? assert.fail()), 'hex')
const fields: Fields = { ...baseline(WIDTH, HEIGHT, 1, 12), 259: [7] }

async function decode(file: Buffer) {
  const reader = tiffReader(file) ?? assert.fail('it was left to libvips')
  const { deep, bitDepth, grey } = await reader.header(file)
  return { data: [...(await reader.decode(file)).data], header: { deep, bitDepth, grey } }
}

const expected = ramp.map((value) => Math.round((value * 65_535) / 4_095))

for (let predictor = 1; predictor <= streams.length; predictor++)
  test(`lossless JPEG with predictor ${predictor}, in either byte order`, async () => {
    for (const bigEndian of [false, true]) {
      const { data, header } = await decode(tiffOf(fields, [stream(predictor)], false, { bigEndian }))
      assert.deepEqual(data, expected)
      assert.deepEqual(header, { deep: true, bitDepth: 12, grey: true })
    }
  })

test('several strips, and tiles that exceed the picture', async () => {
  const strips = await decode(tiffOf({ ...fields, 257: [2 * HEIGHT], 278: [HEIGHT] }, [stream(1), stream(4)]))
  assert.deepEqual(strips.data, [...expected, ...expected])
  const { 278: _rows, ...rest } = fields
  const tiles = await decode(tiffOf({ ...rest, 256: [6], 257: [4], 322: [WIDTH], 323: [HEIGHT] }, [stream(7)]))
  const inside = expected.filter((_, at) => at % WIDTH < 6 && at < 4 * WIDTH)
  assert.deepEqual(tiles.data, inside)
})

test('samples of 12 bits in a file of 16', async () => {
  const { data } = await decode(tiffOf({ ...fields, 258: [16] }, [stream(1)]))
  assert.deepEqual(data, ramp)
})

test('damage ends in a picture or in an UnreadableError', async () => {
  const random = randomFrom(11)
  let refusals = 0
  for (let nth = 0; nth < 300; nth++) {
    const jpeg = Buffer.from(stream(1 + (nth % 7)))
    for (let flip = 0; flip < 2; flip++) jpeg[random(jpeg.length)] = random(256)
    const data = nth % 5 === 0 ? jpeg.subarray(0, random(jpeg.length)) : jpeg
    const result = await decode(tiffOf(fields, [data])).catch((error: unknown) => error)
    if (result instanceof UnreadableError) refusals++
    else if (result instanceof assert.AssertionError || !(result instanceof Error)) continue
    else throw result
  }
  assert.ok(refusals > 50, `${refusals}`)
})
