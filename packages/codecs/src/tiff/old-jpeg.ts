import { orientationOnly } from '../exif.ts'
import type { Directory } from './directory.ts'
import { compressions, type Layout, photometrics } from './layout.ts'

/** Fields of old-style JPEG (TIFF 6.0, section 22). */
const tags = { interchange: 513, interchangeBytes: 514, restartInterval: 515, quantisation: 519, dc: 520, ac: 521 } as const
/** Markers of JPEG (ITU-T T.81, table B.1). */
const marker = {
  sof0: 0xc0,
  dht: 0xc4,
  rst0: 0xd0,
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dri: 0xdd,
  app0: 0xe0,
  app1: 0xe1,
} as const
const QUANTISATION_BYTES = 64
/** A Huffman table begins with the numbers of its codes of 1 to 16 bits. */
const CODE_LENGTHS = 16

/** How an old-style JPEG is read: as one JPEG file, or as one for each strip or tile, which are in the TIFF itself or in `streams`. */
export type OldJpeg = { readonly file: Buffer } | { readonly layout: Layout; readonly streams?: Buffer }

/**
 * Old-style JPEG was written in five ways, all of which libtiff reads: a whole JPEG file (at JPEGInterchangeFormat, or as the only
 * strip), one whose picture data are the strips, tables in fields with bare data in the strips or in tiles, and one file for each strip.
 * Undefined where it is none of these.
 */
export function oldJpegIn(file: Buffer, directory: Directory, layout: Layout): OldJpeg | undefined {
  const strips = layout.offsets.map((at, index) => file.subarray(at, at + (layout.byteCounts[index] ?? file.length)))
  const isWhole = strips.every(({ length }, index) => length > 0 && length === (layout.byteCounts[index] ?? length))
  if (strips.length > 1 && strips.every((strip) => startsFile(strip) && frameOf(strip)))
    return { layout: { ...layout, compression: compressions.jpeg, ...coloursOf(layout) } }
  const whole = wholeFile(file, directory, layout)
  if (!whole && !isWhole) return undefined
  if (!whole && layout.tiled) {
    const tiles = strips.map((tile) => assemble(file, directory, layout, [tile], layout.chunk))
    return tiles.every((tile) => tile !== undefined) ? streamsOf(tiles, layout) : undefined
  }
  const jpeg = whole ?? assemble(file, directory, layout, strips, layout)
  if (!jpeg) return undefined
  if (hasOwnRange(layout)) return streamsOf([withoutApps(jpeg)], { ...layout, tiled: false, chunk: sizeOf(layout) })
  return { file: withMetadata(jpeg, layout) }
}

const sizeOf = ({ width, height }: Layout) => ({ width, height })

/** One JPEG file after the other, each of them a strip or tile. */
function streamsOf(files: readonly Buffer[], layout: Layout): OldJpeg {
  const byteCounts = files.map(({ length }) => length)
  const offsets = byteCounts.map((_, index) => byteCounts.slice(0, index).reduce((sum, length) => sum + length, 0))
  const places = { offsets, byteCounts, planar: false, compression: compressions.jpeg, jpegTables: undefined }
  return { layout: { ...layout, ...places, ...coloursOf(layout) }, streams: Buffer.concat(files) }
}

/** Y, Cb and Cr from black to white by ITU-R BT.601 in full range, as in every JPEG file. */
const FULL_RANGE = [0, 255, 128, 255, 128, 255]

/** Whether black and white have other codes, which libtiff heeds in old-style JPEG, and a decoder of JPEG files does not. */
const hasOwnRange = ({ samples, reference }: Layout): boolean =>
  samples === 3 && reference.length === FULL_RANGE.length && reference.some((code, index) => code !== FULL_RANGE[index])

/** Without segments that tell a decoder which colours the components are. */
function withoutApps(jpeg: Buffer): Buffer {
  const { head, dataAt } = segmentsOf(jpeg)
  const rest = head.filter((segment) => codeOf(segment) < marker.app0)
  return Buffer.concat([Buffer.from([0xff, marker.soi]), ...rest, jpeg.subarray(dataAt ?? jpeg.length)])
}

const startsFile = (bytes: Buffer): boolean => bytes.length > 4 && bytes.readUIntBE(0, 3) === 0xff_d8_ff

/** Such files declare RGB but are YCbCr, as libtiff assumes too. */
const coloursOf = ({ samples }: Layout) => (samples === 3 ? { photometric: photometrics.yCbCr } : {})

interface Segments {
  /** Marker segments before the picture data, markers included; without the start of the file. */
  readonly head: readonly Buffer[]
  /** Where the picture data begin; undefined where the segments end before. */
  readonly dataAt: number | undefined
}

/** Walks the marker segments of a JPEG, or of a part of one. */
function segmentsOf(bytes: Buffer): Segments {
  const head: Buffer[] = []
  let at = 0
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const code = bytes.readUInt8(at + 1)
    if (code === marker.soi || code === marker.eoi || code === 0xff) {
      at += code === 0xff ? 1 : 2
      continue
    }
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (code < marker.sof0 || end > bytes.length) break
    head.push(bytes.subarray(at, end))
    at = end
    if (code === marker.sos) return { head, dataAt: at }
  }
  return { head, dataAt: undefined }
}

const codeOf = (segment: Buffer): number => segment.readUInt8(1)
const isFrame = (segment: Buffer): boolean =>
  (codeOf(segment) & 0xf0) === 0xc0 && ![marker.dht, 0xc8, 0xcc].includes(codeOf(segment))
const frameOf = (bytes: Buffer): Buffer | undefined => segmentsOf(bytes).head.find(isFrame)

/** The JPEG file inside that has all of the picture; undefined where there is none. */
function wholeFile(file: Buffer, directory: Directory, { offsets, height }: Layout): Buffer | undefined {
  // Some writers store a wrong offset, and the whole file in the only strip.
  const places = [...directory.numbers(tags.interchange), ...(offsets.length === 1 ? offsets : [])]
  for (const place of places) {
    const jpeg = file.subarray(place)
    if (!startsFile(jpeg)) continue
    const { head, dataAt } = segmentsOf(jpeg)
    const frame = head.find(isFrame)
    if (dataAt === undefined || !frame || frame.readUInt16BE(5) < height) continue
    const [first = 0] = offsets
    const length = directory.numbers(tags.interchangeBytes)[0] ?? 0
    // When it ends before its picture data, the strips are the data.
    const hasData = length > dataAt + 2
    const isInside = offsets.every((at) => at >= place && at < place + length)
    if (offsets.length === 1 ? hasData || first >= place : hasData && isInside) return jpeg
  }
  return undefined
}

/** Builds one JPEG file from the tables, wherever they are, and the strips, with restart markers between them. */
function assemble(
  file: Buffer,
  directory: Directory,
  layout: Layout,
  strips: readonly Buffer[],
  size: Layout['chunk'],
): Buffer | undefined {
  const [place] = directory.numbers(tags.interchange)
  const length = directory.numbers(tags.interchangeBytes)[0] ?? 0
  const outside = place === undefined ? [] : segmentsOf(file.subarray(place, length > 0 ? place + length : file.length)).head
  const [first = Buffer.alloc(0)] = strips
  const inside = segmentsOf(first)
  const isHead = inside.dataAt !== undefined
  const head = [...outside.filter((segment) => !isHead || codeOf(segment) !== marker.sos), ...(isHead ? inside.head : [])]
  const frame = head.find(isFrame) ?? frameFor(layout)
  const tables = head.filter((segment) => codeOf(segment) === marker.dqt || codeOf(segment) === marker.dht)
  const allTables = tables.length > 0 ? tables : tablesIn(file, directory)
  if (allTables.length === 0 || strips.length === 0 || strips.slice(1).some(startsFile)) return undefined
  const scan = head.find((segment) => codeOf(segment) === marker.sos) ?? scanFor(frame)
  const own = directory.numbers(tags.restartInterval)[0] || undefined
  const ownInterval = head.find((segment) => codeOf(segment) === marker.dri)?.readUInt16BE(4) ?? own
  const interval = ownInterval || (strips.length > 1 ? blocksInStrip(frame, layout) : 0)
  const data = strips.map((strip, index) => (index === 0 && isHead ? strip.subarray(inside.dataAt) : strip))
  return Buffer.concat([
    Buffer.from([0xff, marker.soi]),
    ...allTables,
    withSize(frame, size),
    ...(interval > 0 ? [segment(marker.dri, Buffer.from([interval >> 8, interval & 255]))] : []),
    scan,
    ...data.flatMap((strip, index) => [withoutEnd(strip), Buffer.from([0xff, marker.rst0 + (index % 8)])]).slice(0, -1),
    Buffer.from([0xff, marker.eoi]),
  ])
}

const segment = (code: number, body: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from([0xff, code, (body.length + 2) >> 8, (body.length + 2) & 255]), body])

/** A start of frame for the whole picture, or a tile; that of a file of strips may describe one strip. */
function withSize(frame: Buffer, { width, height }: Layout['chunk']): Buffer {
  const copy = Buffer.from(frame)
  copy.writeUInt16BE(height, 5)
  copy.writeUInt16BE(width, 7)
  return copy
}

/** Baseline, the first component with the file's subsampling; tables in the order of the components. */
function frameFor({ samples, subsampling: { across, down } }: Layout): Buffer {
  const factors = samples === 1 ? 0x11 : (across << 4) | down
  const components = Array.from({ length: samples }, (_, index) => [index + 1, index === 0 ? factors : 0x11, index]).flat()
  return segment(marker.sof0, Buffer.from([8, 0, 0, 0, 0, samples, ...components]))
}

function scanFor(frame: Buffer): Buffer {
  const count = frame.readUInt8(9)
  const components = Array.from({ length: count }, (_, index) => [frame.readUInt8(10 + index * 3), index * 0x11]).flat()
  return segment(marker.sos, Buffer.from([count, ...components, 0, 63, 0]))
}

/** The tables that the fields point at, one of each kind for each component. */
function tablesIn(file: Buffer, directory: Directory): readonly Buffer[] {
  const quantisation = directory.numbers(tags.quantisation).map((at, index) => {
    return segment(marker.dqt, Buffer.concat([Buffer.from([index]), file.subarray(at, at + QUANTISATION_BYTES)]))
  })
  const huffman = [tags.dc, tags.ac].flatMap((tag, kind) =>
    directory.numbers(tag).map((at, index) => {
      const codes = file.subarray(at, at + CODE_LENGTHS).reduce((sum, count) => sum + count, 0)
      return segment(
        marker.dht,
        Buffer.concat([Buffer.from([(kind << 4) | index]), file.subarray(at, at + CODE_LENGTHS + codes)]),
      )
    }),
  )
  return [...quantisation, ...huffman]
}

/** Blocks in a strip: the restart interval. */
function blocksInStrip(frame: Buffer, { width, chunk }: Layout): number {
  const factors = frame.readUInt8(9) === 1 ? 0x11 : frame.readUInt8(11)
  return Math.ceil(width / ((factors >> 4) * 8)) * Math.ceil(chunk.height / ((factors & 15) * 8))
}

/** Removes a final EOI or restart marker, which is written separately. */
function withoutEnd(strip: Buffer): Buffer {
  const last = strip.length >= 2 && strip[strip.length - 2] === 0xff ? (strip[strip.length - 1] ?? 0) : 0
  return last >= marker.rst0 && last <= marker.eoi ? strip.subarray(0, -2) : strip
}

/** The file with the orientation of the TIFF, for the decoder to apply. */
function withMetadata(file: Buffer, { orientation }: Layout): Buffer {
  if (orientation < 2 || orientation > 8) return file
  const exif = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), orientationOnly(orientation)])
  return Buffer.concat([file.subarray(0, 2), segment(marker.app1, exif), file.subarray(2)])
}
