import { deflateSync } from 'node:zlib'
import { limits } from '@pixelmill/codecs/contract/limits'
import { box, fullBox, uint8, uint16, uint32 } from '@pixelmill/codecs/isobmff/boxes'
import { numbers, chunk as pngChunk } from '@pixelmill/engine/test/support/png'

/**
 * Files up to the maximum upload size that cost as much as possible before their header is known, by the structure they repeat.
 */

/** Bytes reserved for what surrounds the repeated part. */
const FULL = limits.uploadBytes - 10_000

/** Repeats `part` up to `bytes`. */
const filledBytes = (bytes: number, part: Buffer): Buffer => Buffer.alloc(Math.max(0, bytes - (bytes % part.length)), part)
const uint32le = (value: number): Buffer => Buffer.from(Uint32Array.of(value).buffer)

export const bombs: Readonly<Record<string, () => Buffer>> = {
  'JPEG of scans': () => jpegOf(filledBytes(FULL, SCAN)),
  'JPEG of 3,000 scans': () => jpegOfScans(3_000),
  'JPEG of comments': () => jpegOf(SCAN, filledBytes(FULL, Buffer.from([0xff, 0xfe, 0, 3, 0x41]))),
  'JPEG of empty APP1': () => jpegOf(SCAN, filledBytes(FULL, Buffer.from([0xff, 0xe1, 0, 2]))),
  'JPEG of APP9': () => jpegOf(SCAN, filledBytes(FULL, Buffer.from([0xff, 0xe9, 0, 3, 0]))),
  'JPEG of Huffman tables': () => jpegOf(SCAN, filledBytes(FULL, DHT)),
  'JPEG of restart markers': () => jpegOf(SCAN, filledBytes(FULL, Buffer.from([0xff, 0xd0]))),
  'JPEG of fill bytes': () => jpegOf(SCAN, filledBytes(FULL, Buffer.from([0xff]))),
  'JPEG of markers in an APP segment': () =>
    jpegOf(
      SCAN,
      filledBytes(
        FULL,
        Buffer.concat([Buffer.from([0xff, 0xe5, 0xff, 0xff]), filledBytes(65_533, Buffer.from([0xff, 0xda])), Buffer.alloc(1)]),
      ),
    ),
  'JPEG of 65,500 × 65,500': () => jpegOf(filledBytes(FULL, Buffer.alloc(1)), Buffer.alloc(0), 65_500),

  'PNG of empty text chunks': () => pngOf(filledBytes(FULL, pngChunk('tEXt', Buffer.from('a\0b')))),
  'PNG of compressed texts': () => pngOf(filledBytes(FULL, pngChunk('zTXt', Buffer.from('a\0\0'), ZEROS))),
  'PNG of international texts': () => pngOf(filledBytes(FULL, pngChunk('iTXt', Buffer.from('a\0\u0001\0\0\0'), ZEROS))),
  'PNG of one text of 15 GB': () => pngOf(pngChunk('zTXt', Buffer.from('a\0\0'), zeros(14_000 * 1024 * 1024))),
  'PNG of a profile of 15 GB': () => pngOf(pngChunk('iCCP', Buffer.from('a\0\0'), zeros(14_000 * 1024 * 1024))),
  'PNG of unknown chunks': () => pngOf(filledBytes(FULL, pngChunk('abCd'))),
  'PNG of empty data': () => pngOf(filledBytes(FULL, pngChunk('IDAT'))),
  'PNG of palettes': () => pngOf(filledBytes(FULL, pngChunk('PLTE', Buffer.alloc(3)))),
  'PNG of suggested palettes': () => pngOf(filledBytes(FULL, pngChunk('sPLT', Buffer.from('a\0\u0008')))),
  'PNG of 2,147,483,647 × 2,147,483,647': () => pngOf(filledBytes(FULL, pngChunk('IDAT', ZEROS)), 0x7fffffff),
  'APNG of empty data': () => pngOf(Buffer.concat([pngChunk('acTL', numbers(2, 0)), filledBytes(FULL - 20, pngChunk('IDAT'))])),
  'APNG of frames': () =>
    pngOf(
      Buffer.concat([
        pngChunk('acTL', numbers(0x7fffffff, 0)),
        filledBytes(
          FULL,
          Buffer.concat([pngChunk('fcTL', numbers(0, 1, 1, 0, 0), Buffer.alloc(6)), pngChunk('fdAT', numbers(1), ZEROS)]),
        ),
      ]),
    ),

  'WebP of 100,000 frames': () => webpOf(filledBytes(100_000 * ANMF.length, ANMF)),
  'WebP of frames': () => webpOf(filledBytes(FULL, ANMF)),
  'WebP of empty frames': () => webpOf(filledBytes(FULL, webpChunk('ANMF', Buffer.alloc(16)))),
  'WebP of unknown chunks': () => webpOf(Buffer.concat([filledBytes(FULL, webpChunk('abcd')), ANMF])),
  'WebP of EXIF chunks': () => webpOf(Buffer.concat([ANMF, filledBytes(FULL, webpChunk('EXIF'))])),
  'WebP of unknown chunks in a frame': () =>
    webpOf(webpChunk('ANMF', Buffer.alloc(16), VP8L, filledBytes(FULL, webpChunk('abcd')))),
  'WebP of 16,777,216 × 16,777,216': () => webpOf(ANMF, 0xffffff),

  'GIF of frames': () => gifOf(filledBytes(FULL, GIF_FRAME)),
  'GIF of 100,000 frames': () => gifOf(filledBytes(100_000 * GIF_FRAME.length, GIF_FRAME)),
  'GIF of comments': () => gifOf(Buffer.concat([filledBytes(FULL, Buffer.from([0x21, 0xfe, 0])), GIF_FRAME])),
  'GIF of comments of one byte': () =>
    gifOf(Buffer.concat([Buffer.from([0x21, 0xfe]), filledBytes(FULL, Buffer.from([1, 0])), GIF_FRAME])),
  'GIF of controls': () => gifOf(Buffer.concat([filledBytes(FULL, Buffer.from([0x21, 0xf9, 4, 0, 0, 0, 0, 0])), GIF_FRAME])),
  'GIF of 65,535 × 65,535': () => gifOf(Buffer.from([0x2c, 0, 0, 0, 0, 255, 255, 255, 255, 0, 2, 2, 0x44, 1, 0]), 65_535),

  'BMP of 2,147,483,647 × 2,147,483,647': () => bmpOf(0x7fffffff, 0x7fffffff),
  'BMP of 1 × 2,147,483,647': () => bmpOf(1, 0x7fffffff),

  'TIFF of directories': () => tiffOfDirectories(),
  'TIFF of strips': () => tiffOfStrips(),
  'TIFF of fields': () => tiffOf(Array.from({ length: 65_000 }, (_, tag) => [40_000 + (tag % 20_000), 4, 1, 1] as const)),
  'TIFF of 4,294,967,295 × 4,294,967,295': () => tiffOf([], 0xffffffff),

  ...Object.fromEntries(
    (['heic', 'avif'] as const).flatMap((brand) => [
      [`${brand} of boxes`, () => isobmffOf(brand, filledBytes(FULL, box('free')))],
      [`${brand} of boxes in meta`, () => isobmffOf(brand, fullBox('meta', 0, 0, handler(), filledBytes(FULL, box('free'))))],
      [`${brand} of nested boxes`, () => isobmffOf(brand, nestedBoxes('meta', FULL))],
      [`${brand} of nested containers`, () => isobmffOf(brand, fullBox('meta', 0, 0, handler(), nestedBoxes('iprp', FULL)))],
      [`${brand} of properties`, () => withItems(brand, 1, filledBytes(FULL, fullBox('ispe', 0, 0, uint32(1, 1))))],
      [`${brand} of items`, () => withItems(brand, 65_535)],
      [`${brand} of tiles`, () => withTiles(brand)],
      [`${brand} of references`, () => withReferences(brand)],
      [`${brand} of extents`, () => withExtents(brand)],
      [
        `${brand} of brands`,
        () => Buffer.concat([box('ftyp', Buffer.from(brand), uint32(0), filledBytes(FULL, Buffer.from(brand)))]),
      ],
    ]),
  ),

  'ZIP of entries': () => filledBytes(FULL, Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(26)])),
  'nothing but zeros': () => Buffer.alloc(FULL),
}

/** A canonical Huffman table with one code, an EOB run of 32,767 blocks: zero bits are a whole scan of up to 32,767 blocks. */
const DHT = Buffer.from([0xff, 0xc4, 0, 3 + 16 + 1, 0x10, 1, ...new Array<number>(15).fill(0), 0xe0])
const DC_TABLE = Buffer.from([0xff, 0xc4, 0, 3 + 16 + 1, 0x00, 1, ...new Array<number>(15).fill(0), 0])
const QUANTISATION = Buffer.concat([Buffer.from([0xff, 0xdb, 0, 67, 0]), Buffer.alloc(64, 1)])
/** One AC scan: an EOB run of 32,767 blocks. */
const SCAN = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0x00, 1, 63, 0, 0x7f, 0xff, 0x00])

/** 1,400 × 1,400 pixels with this number of refinement scans. */
export const jpegOfScans = (scans: number): Buffer => jpegOf(filledBytes(scans * SCAN.length, SCAN))

function jpegOf(scans: Buffer, before: Buffer = Buffer.alloc(0), side = 1_400): Buffer {
  const size = [side >> 8, side & 0xff]
  const frame = Buffer.from([0xff, 0xc2, 0, 11, 8, ...size, ...size, 1, 1, 0x11, 0])
  const dc = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0x00, 0, 0, 0, ...new Array<number>(4_000).fill(0)])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    QUANTISATION,
    before,
    frame,
    DC_TABLE,
    DHT,
    dc,
    scans,
    Buffer.from([0xff, 0xd9]),
  ])
}

const zeros = (bytes: number): Buffer => {
  // A megabyte of zeros deflates to a block that can be repeated where it ends on a byte boundary.
  const million = deflateSync(Buffer.alloc(1024 * 1024), { level: 9, finishFlush: 3 })
  return Buffer.concat([
    million.subarray(0, 2),
    filledBytes(Math.floor((bytes / 1024 / 1024) * (million.length - 2)), million.subarray(2)),
  ])
}
const ZEROS = deflateSync(Buffer.alloc(1024 * 1024), { level: 9 })

function pngOf(chunks: Buffer, side = 1): Buffer {
  const header = pngChunk('IHDR', numbers(side, side), Buffer.from([8, 0, 0, 0, 0]))
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return Buffer.concat([signature, header, chunks, pngChunk('IDAT', deflateSync(Buffer.alloc(2))), pngChunk('IEND')])
}

function webpChunk(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type, 'latin1'), uint32le(body.length), body, Buffer.alloc(body.length & 1)])
}
/** One transparent pixel, lossless. */
const VP8L = webpChunk('VP8L', Buffer.from([0x2f, 0, 0, 0, 0x10, 0x07, 0x10, 0x11, 0x11, 0x88, 0x88, 0xfe, 0x07, 0]))
const ANMF = webpChunk('ANMF', Buffer.alloc(16), VP8L)

function webpOf(chunks: Buffer, side = 0): Buffer {
  const size = Buffer.from([side & 0xff, (side >> 8) & 0xff, side >> 16])
  const body = Buffer.concat([
    Buffer.from('WEBP'),
    webpChunk('VP8X', Buffer.from([0x12, 0, 0, 0]), size, size),
    webpChunk('ANIM', Buffer.alloc(6)),
    chunks,
  ])
  return Buffer.concat([Buffer.from('RIFF'), uint32le(body.length), body])
}

const GIF_FRAME = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])

function gifOf(blocks: Buffer, side = 1): Buffer {
  const size = [side & 0xff, side >> 8]
  return Buffer.concat([
    Buffer.from('GIF89a'),
    Buffer.from([...size, ...size, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
    blocks,
    Buffer.from([0x3b]),
  ])
}

function bmpOf(width: number, height: number): Buffer {
  const file = Buffer.alloc(FULL)
  file.write('BM')
  file.writeUInt32LE(FULL, 2)
  file.writeUInt32LE(54, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(width, 18)
  file.writeInt32LE(height, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(1, 28)
  return file
}

type TiffField = readonly [tag: number, type: number, count: number, value: number]

/** The fields of one black pixel. */
const tiffPixel = (side: number): readonly TiffField[] => [
  [256, 4, 1, side],
  [257, 4, 1, side],
  [258, 3, 1, 8],
  [259, 3, 1, 1],
  [262, 3, 1, 1],
  [273, 4, 1, 8],
  [277, 3, 1, 1],
  [278, 4, 1, side],
  [279, 4, 1, 1],
]

function directory(fields: readonly TiffField[], next: number): Buffer {
  const bytes = Buffer.alloc(2 + fields.length * 12 + 4)
  bytes.writeUInt16LE(fields.length, 0)
  for (const [index, [tag, type, count, value]] of fields.entries()) {
    bytes.writeUInt16LE(tag, 2 + index * 12)
    bytes.writeUInt16LE(type, 4 + index * 12)
    bytes.writeUInt32LE(count, 6 + index * 12)
    bytes.writeUInt32LE(value, 10 + index * 12)
  }
  bytes.writeUInt32LE(next, bytes.length - 4)
  return bytes
}
const TIFF_START = Buffer.from([0x49, 0x49, 42, 0, 8, 0, 0, 0])

function tiffOf(more: readonly TiffField[], side = 1): Buffer {
  return Buffer.concat([TIFF_START, directory([...tiffPixel(side), ...more].slice(0, 65_535), 0)])
}

function tiffOfDirectories(): Buffer {
  const first = directory(tiffPixel(1), 8 + 9 * 12 + 6)
  const parts: Buffer[] = [TIFF_START, first]
  let at = 8 + first.length
  // Each contains the one field that libtiff requires first.
  while (at < FULL) {
    const next = directory([[256, 4, 1, 1]], at + 18)
    parts.push(next)
    at += next.length
  }
  return Buffer.concat([...parts, directory(tiffPixel(1), 0)])
}

function tiffOfStrips(): Buffer {
  const count = Math.floor(FULL / 8)
  const start = 8 + 9 * 12 + 6
  const fields = tiffPixel(1).map((field): TiffField => {
    if (field[0] === 257) return [257, 4, 1, count]
    if (field[0] === 278) return [278, 4, 1, 1]
    if (field[0] === 273) return [273, 4, count, start]
    return field[0] === 279 ? [279, 4, count, start + count * 4] : field
  })
  return Buffer.concat([
    TIFF_START,
    directory(fields, 0),
    filledBytes(count * 4, uint32le(8)),
    filledBytes(count * 4, uint32le(1)),
  ])
}

const isobmffOf = (brand: string, ...boxes: readonly Buffer[]): Buffer =>
  Buffer.concat([box('ftyp', Buffer.from(brand), uint32(0), Buffer.from(`mif1${brand}`)), ...boxes])

const handler = () => fullBox('hdlr', 0, 0, uint32(0), Buffer.from('pict'), Buffer.alloc(13))

/** Nested boxes of one type: each header gives the size of all that follow. */
function nestedBoxes(type: string, bytes: number): Buffer {
  const header = type === 'meta' ? 12 : 8
  const count = Math.floor(bytes / header)
  const file = Buffer.alloc(count * header)
  for (let depth = 0; depth < count; depth++) {
    file.writeUInt32BE((count - depth) * header, depth * header)
    file.write(type, depth * header + 4)
  }
  return file
}

const coding = (brand: string): Buffer => Buffer.from(brand === 'avif' ? 'av01' : 'hvc1')
const infoOf = (id: number, type: Buffer): Buffer => fullBox('infe', 2, 0, uint16(id, 0), type, uint8(0))

interface Meta {
  readonly items: readonly Buffer[]
  readonly locations: Buffer
  readonly properties?: Buffer
  readonly references?: Buffer
  readonly data?: Buffer
}

function metaOf(brand: string, { items, locations, properties, references, data }: Meta): Buffer {
  return isobmffOf(
    brand,
    fullBox(
      'meta',
      0,
      0,
      handler(),
      fullBox('pitm', 0, 0, uint16(1)),
      fullBox('iinf', 0, 0, uint16(items.length), Buffer.concat(items)),
      locations,
      ...(references ? [references] : []),
      box(
        'iprp',
        box('ipco', properties ?? fullBox('ispe', 0, 0, uint32(64, 64))),
        fullBox('ipma', 0, 0, uint32(1), uint16(1), uint8(1, 1)),
      ),
      ...(data ? [box('idat', data)] : []),
    ),
  )
}

/** Each has one extent of one byte. */
function locationsOf(count: number): Buffer {
  const entries = Buffer.alloc(count * 14)
  for (let index = 0; index < count; index++) {
    entries.writeUInt16BE(index + 1, index * 14)
    entries.writeUInt16BE(1, index * 14 + 4)
    entries.writeUInt32BE(16, index * 14 + 6)
    entries.writeUInt32BE(1, index * 14 + 10)
  }
  return fullBox('iloc', 0, 0, uint8(0x44, 0), uint16(count), entries)
}

const withItems = (brand: string, count: number, properties?: Buffer): Buffer =>
  metaOf(brand, {
    items: Array.from({ length: count }, (_, index) => infoOf(index + 1, coding(brand))),
    locations: locationsOf(count),
    ...(properties && { properties }),
  })

/** A grid of 256 × 255 tiles. */
function withTiles(brand: string): Buffer {
  const rows = 255
  const columns = 256
  const count = rows * columns
  const ids = Array.from({ length: count }, (_, index) => index + 2)
  return metaOf(brand, {
    items: [infoOf(1, Buffer.from('grid')), ...ids.map((id) => infoOf(id, coding(brand)))],
    locations: locationsOf(count + 1),
    references: fullBox('iref', 0, 0, box('dimg', uint16(1, count), Buffer.concat(ids.map((id) => uint16(id))))),
    data: Buffer.concat([uint8(0, 0, rows - 1, columns - 1), uint16(16_384, 16_320)]),
  })
}

/** Items that refer to each other. */
function withReferences(brand: string): Buffer {
  const ids = Array.from({ length: 2_000 }, (_, index) => index + 1)
  const references = ids.map((id) => box('dimg', uint16(id, 1_800, ...ids.slice(0, 1_800))))
  return metaOf(brand, {
    items: ids.map((id) => infoOf(id, Buffer.from('iovl'))),
    locations: locationsOf(ids.length),
    references: fullBox('iref', 0, 0, Buffer.concat(references)),
  })
}

/** One item with as many extents as fit. */
function withExtents(brand: string): Buffer {
  const items = 28
  const extents = filledBytes(65_535 * 8, uint32(16, 1))
  const entries = Array.from({ length: items }, (_, index) => Buffer.concat([uint16(index + 1, 0, 65_535), extents]))
  return metaOf(brand, {
    items: Array.from({ length: items }, (_, index) => infoOf(index + 1, coding(brand))),
    locations: fullBox('iloc', 0, 0, uint8(0x44, 0), uint16(items), ...entries),
  })
}
