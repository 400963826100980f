import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { ico } from '../../src/ico/index.ts'
import { entriesOf } from '../../src/ico/layout.ts'
import { icoReader } from '../../src/ico/reader.ts'
import { recognise } from '../../src/index.ts'
import { UnreadableError } from '../../src/reader.ts'

interface Part {
  /** In the directory, of which a reader believes nothing but which is the largest. */
  readonly side?: number
  readonly bits?: number
  readonly picture: Buffer
}

function iconOf(parts: readonly Part[], kind = 1): Buffer {
  const head = Buffer.alloc(6 + 16 * parts.length)
  head.writeUInt16LE(kind, 2)
  head.writeUInt16LE(parts.length, 4)
  let at = head.length
  for (const [index, { side = 2, bits = 0, picture }] of parts.entries()) {
    const entry = 6 + 16 * index
    head.writeUInt8(side % 256, entry)
    head.writeUInt8(side % 256, entry + 1)
    head.writeUInt16LE(bits, entry + 6)
    head.writeUInt32LE(picture.length, entry + 8)
    head.writeUInt32LE(at, entry + 12)
    at += picture.length
  }
  return Buffer.concat([head, ...parts.map(({ picture }) => picture)])
}

/** A bitmap of 2 × 2 pixels: its colours, its rows from the bottom, and the rows of its mask, four bytes each. */
function bitmap(bits: number, colours: readonly number[], rows: readonly number[], mask: readonly number[], height = 4): Buffer {
  const header = Buffer.alloc(40)
  header.writeUInt32LE(40, 0)
  header.writeInt32LE(2, 4)
  header.writeInt32LE(height, 8)
  header.writeUInt16LE(1, 12)
  header.writeUInt16LE(bits, 14)
  header.writeUInt32LE(colours.length / 4, 32)
  return Buffer.concat([header, Buffer.from([...colours, ...rows, ...mask])])
}

const pixelsOf = async (file: Buffer) => [...(await icoReader.decode(file)).data]

const R = [255, 0, 0, 255]
const B = [0, 0, 255, 255]
const NONE = [0, 0, 0, 0]
/** Blue and red in the order of bitmaps. */
const TABLE = [255, 0, 0, 0, 0, 0, 255, 0]
/** The lower right pixel is transparent. */
const MASK = [0x40, 0, 0, 0, 0, 0, 0, 0]
const picture = [...R, ...B, ...B, ...NONE]

const depths: readonly (readonly [number, readonly number[], readonly number[]])[] = [
  [1, TABLE, [0x00, 0, 0, 0, 0x80, 0, 0, 0]],
  [4, TABLE, [0x00, 0, 0, 0, 0x10, 0, 0, 0]],
  [8, TABLE, [0, 0, 0, 0, 1, 0, 0, 0]],
  [24, [], [255, 0, 0, 9, 9, 9, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0]],
  // Without any alpha the mask counts.
  [32, [], [255, 0, 0, 0, 9, 9, 9, 0, 0, 0, 255, 0, 255, 0, 0, 0]],
]

for (const [bits, colours, rows] of depths) {
  test(`an icon of ${bits} bits is shown through its mask`, async () => {
    const file = iconOf([{ bits, picture: bitmap(bits, colours, rows, MASK) }])
    assert.equal(recognise(file)?.name, 'ico')
    assert.deepEqual(await pixelsOf(file), picture)
    const { width, height, bitDepth = 8 } = await icoReader.header(file)
    assert.deepEqual([width, height, bitDepth], [2, 2, Math.min(8, bits)])
  })
}

test('alpha takes the place of the mask', async () => {
  const rows = [255, 0, 0, 128, 9, 9, 9, 0, 0, 0, 255, 255, 255, 0, 0, 255]
  const mask = [0xff, 0, 0, 0, 0xff, 0, 0, 0]
  const pixels = await pixelsOf(iconOf([{ bits: 32, picture: bitmap(32, [], rows, mask) }], 2))
  assert.deepEqual(pixels, [...R, ...B, 0, 0, 255, 128, 9, 9, 9, 0])
})

test('the largest picture is read, of several that with the most bits', async () => {
  const [, , last] = depths
  const eight = bitmap(8, last?.[1] ?? [], last?.[2] ?? [], MASK)
  const png = (side: number, colour: string) =>
    sharp({ create: { width: side, height: side, channels: 4, background: colour } })
      .png()
      .toBuffer()
  const parts = [
    { side: 16, picture: eight },
    { side: 256, bits: 8, picture: await png(256, '#00f') },
    { side: 256, bits: 32, picture: await png(256, '#f00') },
  ]
  const file = iconOf(parts)
  const { width, height, data } = await icoReader.decode(file)
  assert.deepEqual([width, height, ...data.subarray(0, 4)], [256, 256, ...R])
  // A picture that lies beyond the file is passed over.
  const cut = await icoReader.decode(file.subarray(0, -10))
  assert.deepEqual([...cut.data.subarray(0, 4)], B)
})

test('what is written is read as it was, with the usual smaller sizes', async () => {
  const samples = Buffer.from(Array.from({ length: 60 * 40 * 4 }, (_, at) => (at * 7) & 255))
  const { bytes, width, height } = await ico.encode(sharp(samples, { raw: { width: 60, height: 40, channels: 4 } }), {
    quality: undefined,
    megapixels: 0.01,
    animation: undefined,
  })
  assert.deepEqual([width, height], [60, 40])
  assert.deepEqual(await pixelsOf(bytes), [...samples])
  const sizes = entriesOf(bytes).map(({ width: across, height: down, bits }) => [across, down, bits])
  assert.deepEqual(sizes, [
    [60, 40, 32],
    [48, 32, 32],
    [32, 21, 32],
    [16, 11, 32],
  ])
  for (const { at, bytes: length, width: across } of entriesOf(bytes))
    assert.equal((await sharp(bytes.subarray(at, at + length)).metadata()).width, across)
})

test('hostile files are refused before memory is taken', async () => {
  const whole = bitmap(8, TABLE, [0, 0, 0, 0, 1, 0, 0, 0], MASK)
  const huge = Buffer.from(whole)
  huge.writeInt32LE(0x7fffffff, 4)
  huge.writeInt32LE(0x7ffffffe, 8)
  const files = [
    iconOf([{ picture: whole.subarray(0, 39) }]),
    iconOf([{ picture: bitmap(8, TABLE, [], [], 0) }]),
    iconOf([{ picture: bitmap(8, TABLE, [0, 0, 0, 0], []) }]),
    iconOf([{ picture: huge }]),
    iconOf([{ picture: Buffer.from(`\x89PNG\r\n\x1a\n${'\0'.repeat(60)}`, 'latin1') }]),
    Buffer.concat([Buffer.from([0, 0, 1, 0, 255, 255]), Buffer.alloc(1_000_000, 255)]),
  ]
  for (const [index, file] of files.entries()) await assert.rejects(icoReader.decode(file), UnreadableError, `file ${index}`)
})

test('what only begins like an icon is none', () => {
  const file = iconOf([{ picture: Buffer.alloc(50) }])
  for (const [at, value] of [
    [0, 1],
    [2, 3],
    [4, 0],
    [9, 1],
    [18, 6],
    [14, 0],
  ] as const) {
    const other = Buffer.from(file)
    other.writeUInt8(value, at)
    assert.notEqual(recognise(other)?.name, 'ico', `byte ${at}`)
  }
})
