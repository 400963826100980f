import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { codecs } from '../src/index.ts'
import { readHeader } from '../src/pixels/header.ts'
import { openImage } from '../src/pixels/open.ts'
import { near, pixel, solid } from './support/pictures.ts'
import { baseline, type Fields, tiffOf } from './support/tiff.ts'

/** Old-style JPEG in each of the ways in which programs wrote it; every strip of another colour. */

const size = { width: 40, height: 48 } as const
const STRIP = 16
const colours = ['#c86432', '#28a05a', '#5a46b4'] as const
const rgbColours = [
  [200, 100, 50],
  [40, 160, 90],
  [90, 70, 180],
] as const

/** One JPEG for each strip, all with the same tables, since none is fitted to its picture. */
const strips = await Promise.all(
  colours.map((colour) =>
    solid(size.width, STRIP, colour).jpeg({ quality: 95, chromaSubsampling: '4:2:0', optimiseCoding: false }).toBuffer(),
  ),
)
const whole = await sharp({ create: { ...size, channels: 3, background: colours[0] } })
  .composite(strips.slice(1).map((input, index) => ({ input, left: 0, top: (index + 1) * STRIP })))
  .jpeg({ quality: 95, chromaSubsampling: '4:4:4' })
  .toBuffer()

interface Parts {
  /** Marker segments up to the start of the scan, by their code. */
  readonly segments: readonly { readonly code: number; readonly bytes: Buffer }[]
  readonly scan: Buffer
  /** The coded picture, without the end of the file. */
  readonly data: Buffer
}

function partsOf(jpeg: Buffer): Parts {
  const segments: { code: number; bytes: Buffer }[] = []
  let at = 2
  for (; jpeg.readUInt8(at + 1) !== 0xda; at += 2 + jpeg.readUInt16BE(at + 2))
    segments.push({ code: jpeg.readUInt8(at + 1), bytes: jpeg.subarray(at, at + 2 + jpeg.readUInt16BE(at + 2)) })
  const dataAt = at + 2 + jpeg.readUInt16BE(at + 2)
  return { segments, scan: jpeg.subarray(at, dataAt), data: jpeg.subarray(dataAt, -2) }
}

const parts = strips.map(partsOf)
const [first] = parts
assert.ok(first)
const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])
const only = (...codes: readonly number[]) => first.segments.filter(({ code }) => codes.includes(code)).map(({ bytes }) => bytes)
const TABLES = 0xdb
const HUFFMAN = 0xc4
const FRAME = 0xc0

const fields: Fields = { ...baseline(size.width, size.height, 3, 8), 259: [6], 262: [6], 278: [STRIP], 530: [2, 2] }

/** Tiles that exceed the picture at its right edge: two beside each other, three rows of them. */
const TILE = 32
const { 278: _rows, ...withoutStrips } = fields
const tileFields: Fields = { ...withoutStrips, 322: [TILE], 323: [STRIP] }
async function tiles(): Promise<readonly Buffer[]> {
  const pairs = colours.flatMap((colour) => [colour, colour])
  const options = { quality: 95, chromaSubsampling: '4:2:0', optimiseCoding: false } as const
  return Promise.all(pairs.map(async (colour) => partsOf(await solid(TILE, STRIP, colour).jpeg(options).toBuffer()).data))
}

/** A TIFF of strips with something more behind them, whose place a field names. */
function withBehind(own: Fields, data: readonly Buffer[], behind: Buffer, at: (place: number) => Fields): Buffer {
  const { length } = tiffOf({ ...own, ...at(100_000) }, data)
  return Buffer.concat([tiffOf({ ...own, ...at(length) }, data), behind])
}

/** The tables themselves, without their markers, at the places that the fields name for Y, Cb and Cr. */
function tablesInFields(own = fields, data: readonly Buffer[] = parts.map((part) => part.data)): Buffer {
  const quantisation = only(TABLES).flatMap((bytes) => tablesOf(bytes, () => 64))
  const huffman = only(HUFFMAN).flatMap((bytes) =>
    tablesOf(bytes, (table) => 16 + table.subarray(0, 16).reduce((sum, count) => sum + count, 0)),
  )
  const all = [...quantisation, ...huffman]
  const bodies = Buffer.concat(all.map(({ bytes }) => bytes))
  const placeOf = (start: number, tableId: number, list: typeof all) => {
    const index = all.indexOf(list.find(({ id }) => id === tableId) ?? assert.fail(`no table ${tableId}`))
    return start + all.slice(0, index).reduce((sum, { bytes }) => sum + bytes.length, 0)
  }
  return withBehind(own, data, bodies, (start) => ({
    512: [1],
    519: [0, 1, 1].map((id) => placeOf(start, id, quantisation)),
    520: [0, 1, 1].map((id) => placeOf(start, id, huffman)),
    521: [0x10, 0x11, 0x11].map((id) => placeOf(start, id, huffman)),
  }))
}

/** The tables of a segment, which may hold several. */
function tablesOf(segment: Buffer, lengthOf: (table: Buffer) => number) {
  const tables: { id: number; bytes: Buffer }[] = []
  for (let at = 4; at < segment.length; ) {
    const length = lengthOf(segment.subarray(at + 1))
    tables.push({ id: segment.readUInt8(at), bytes: segment.subarray(at + 1, at + 1 + length) })
    at += 1 + length
  }
  return tables
}

const files: Readonly<Record<string, Buffer>> = {
  'a whole file, which is the only strip': tiffOf({ ...fields, 278: [size.height] }, [whole]),
  'a whole file that another field names': withBehind({ ...fields, 278: [size.height] }, [Buffer.alloc(10)], whole, (at) => ({
    513: [at],
    514: [whole.length],
  })),
  'a file for each strip': tiffOf(fields, strips),
  // As Wang wrote it: the field leads to tables and a start of frame, the first strip begins with the start of the scan.
  'tables in one place, picture data in strips': withBehind(
    fields,
    parts.map(({ scan, data }, index) => (index === 0 ? Buffer.concat([scan, data]) : data)),
    Buffer.concat([START, ...only(TABLES, HUFFMAN, FRAME)]),
    (at) => ({ 513: [at], 514: [Buffer.concat([START, ...only(TABLES, HUFFMAN, FRAME)]).length] }),
  ),
  'a head in one place, picture data in strips that end like files': withBehind(
    fields,
    parts.map(({ data }) => Buffer.concat([data, END])),
    Buffer.concat([START, ...only(TABLES, HUFFMAN, FRAME), first.scan]),
    (at) => ({ 513: [at] }),
  ),
  'tables in fields, picture data in strips': tablesInFields(),
  'tables in fields, picture data in tiles': tablesInFields(tileFields, await tiles()),
}

for (const [name, file] of Object.entries(files)) {
  test(`old-style JPEG: ${name}`, async () => {
    const header = await readHeader(file)
    assert.deepEqual([header.width, header.height], [size.width, size.height])
    const { pixels } = await openImage(file, header, codecs.png)
    const png = await pixels.png().toBuffer()
    for (const [strip, colour] of rgbColours.entries()) {
      if (name.startsWith('a whole') && strip > 0) continue
      const actual = await pixel(png, 20, strip * STRIP + 8)
      assert.ok(near(actual, colour, 6), `strip ${strip}: ${actual}, not ${colour}`)
    }
  })
}

test('an orientation turns it', async () => {
  const file = tiffOf(
    { ...fields, 274: [6] },
    parts.map((_, index) => strips[index] ?? assert.fail()),
  )
  const turnedFile = tiffOf({ ...fields, 274: [6], 278: [size.height] }, [whole])
  for (const image of [file, turnedFile]) {
    const header = await readHeader(image)
    assert.deepEqual([header.width, header.height], [size.height, size.width])
    const { info } = await (await openImage(image, header, codecs.png)).pixels.png().toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height], [size.height, size.width])
  }
})

test('strips of which some are missing are refused, not shown', async () => {
  const cut = tiffOf(fields, strips).subarray(0, -(strips[2]?.length ?? 0) - 100)
  await assert.rejects(async () => {
    const header = await readHeader(cut)
    await (await openImage(cut, header, codecs.png)).pixels.png().toBuffer()
  })
})

test('black and white of ReferenceBlackWhite are those of the picture, in strips, in tiles and in a file inside', async () => {
  const black = 16
  const white = 235
  const zero = 128
  const most = 240
  const range = { 532: [black, white, zero, most, zero, most] }
  const grey = (level: number) => `#${level.toString(16).padStart(2, '0').repeat(3)}`
  const options = { quality: 95, chromaSubsampling: '4:2:0', optimiseCoding: false } as const
  const jpegs = await Promise.all(
    [black, white, 126].map((level) => solid(size.width, STRIP, grey(level)).jpeg(options).toBuffer()),
  )
  const inTiles = jpegs.map((jpeg) => partsOf(jpeg).data)
  const one = await solid(size.width, size.height, grey(white)).jpeg(options).toBuffer()
  const places: Readonly<Record<string, readonly [file: Buffer, shown: readonly number[]]>> = {
    'a file for each strip': [tiffOf({ ...fields, ...range }, jpegs), [0, 255, 128]],
    'tables in fields': [tablesInFields({ ...fields, ...range }, inTiles), [0, 255, 128]],
    'one tile after the other': [tablesInFields({ ...tileFields, 322: [48], ...range }, inTiles), [0, 255, 128]],
    'a whole file': [tiffOf({ ...fields, 278: [size.height], ...range }, [one]), [255, 255, 255]],
  }
  for (const [name, [file, levels]] of Object.entries(places)) {
    const { pixels } = await openImage(file, await readHeader(file), codecs.png)
    const png = await pixels.png().toBuffer()
    for (const [strip, level] of levels.entries()) {
      const actual = await pixel(png, 20, strip * STRIP + 8)
      assert.ok(near(actual, [level, level, level], 2), `${name}, strip ${strip}: ${actual}, not ${level}`)
    }
  }
})
