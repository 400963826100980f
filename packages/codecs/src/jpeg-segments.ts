import type { Completed } from './codec.ts'
import { limits } from './contract/limits.ts'
import { orientationOf, orientationOnly } from './exif.ts'

export const SOI_BYTES = 2
const MARKER_BYTES = 2
/** Markers without a segment, and those that begin and end pictures and scans (ITU-T T.81, table B.1). */
const TEM = 0x01
const RST0 = 0xd0
const RST7 = 0xd7
const EOI = 0xd9
export const SOS = 0xda
const START_OF_SCAN = Buffer.from([0xff, SOS])

const { jpegScans, parts } = limits.structure

/**
 * The limit that a JPEG exceeds: scans, each of which makes the decoder process the whole picture, or segments before the first
 * scan, which the decoder stores in a list.
 */
export function jpegExcess(bytes: Buffer): string | undefined {
  if (markersBeforeScan(bytes) > parts) return `${parts} marker segments`
  return scansOf(bytes, jpegScans) > jpegScans ? `${jpegScans} scans` : undefined
}

/** Counts the scans of a JPEG up to `most` + 1. Bytes in metadata may be counted too while the total is within `most`. */
export function scansOf(bytes: Buffer, most: number): number {
  // A byte search finds every start of a scan, and some matches in metadata and thumbnails: 0.06 ms a megabyte.
  const scanCount = occurrences(bytes, START_OF_SCAN, most)
  return scanCount <= most ? scanCount : scansMet(bytes, most)
}

/** Counts up to one more than `most`. */
function occurrences(bytes: Buffer, sought: Buffer, most: number): number {
  let count = 0
  for (let at = bytes.indexOf(sought); at >= 0 && count <= most; at = bytes.indexOf(sought, at + sought.length)) count++
  return count
}

/** Steps from marker to marker up to the first scan; counts up to one more than `parts`. */
function markersBeforeScan(bytes: Buffer): number {
  let count = 0
  for (let at = SOI_BYTES; at + 4 <= bytes.length && bytes[at + 1] !== SOS && count <= parts; count++) at = next(bytes, at)
  return count
}

/** Counts scans as a decoder does, up to the end of the picture or `most` + 1. */
function scansMet(bytes: Buffer, most: number): number {
  let count = 0
  for (let at = SOI_BYTES; at + 4 <= bytes.length && count <= most; ) {
    const code = bytes[at + 1] ?? 0
    // Byte by byte: entropy-coded data, in which 0xff is followed by a zero (ITU-T T.81, B.1.1.5), may be made of many 0xff.
    if (bytes[at] !== 0xff || code === 0 || code === 0xff) at++
    else if (code === EOI) return count
    else {
      if (code === SOS) count++
      at = behind(bytes, at)
    }
  }
  return count
}

/** The position after a marker and its segment, or of the next byte that may begin one. */
export function next(bytes: Buffer, at: number): number {
  if (bytes[at] === 0xff && bytes[at + 1] !== 0) return bytes[at + 1] === 0xff ? at + 1 : behind(bytes, at)
  const nextMarker = bytes.indexOf(0xff, at + 1)
  return nextMarker < 0 ? bytes.length : nextMarker
}

function behind(bytes: Buffer, at: number): number {
  const code = bytes[at + 1] ?? 0
  const isAlone = code === TEM || (code >= RST0 && code <= RST7)
  return at + MARKER_BYTES + (isAlone ? 0 : bytes.readUInt16BE(at + 2))
}

export const EXIF_HEADER = Buffer.from('Exif\0\0', 'latin1')
const APP0 = 0xe0
export const APP1 = 0xe1
export const APP2 = 0xe2
const APP14 = 0xee
const APP15 = 0xef
const COM = 0xfe
/** APP segments that change how the pixels look, by how they begin: JFIF, ICC profile, Adobe's colour transform. */
const KEPT_APPS: ReadonlyMap<number, string> = new Map([
  [APP0, 'JFIF\0'],
  [APP2, 'ICC_PROFILE\0'],
  [APP14, 'Adobe'],
])

/**
 * A JPEG without EXIF, XMP, comments and data after its end, such as the video of a phone's "live" picture. Entropy-coded
 * data is copied unchanged. An EXIF orientation other than upright is kept as the only EXIF field, since without it the
 * picture would be rotated. A damaged file is returned unchanged.
 */
export function stripJpeg(bytes: Buffer): Buffer {
  const segments: Buffer[] = []
  let orientation = 1
  let at = SOI_BYTES
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return bytes
    if (marker === SOS) {
      const exif = orientation === 1 ? [] : [orientationSegment(orientation)]
      return Buffer.concat([bytes.subarray(0, SOI_BYTES), ...exif, ...segments, bytes.subarray(at, endOfImage(bytes, at))])
    }
    const segment = bytes.subarray(at, end)
    if (marker === APP1 && segment.subarray(4, 10).equals(EXIF_HEADER)) orientation = orientationOf(segment.subarray(10))
    if (!isMetadata(marker, segment)) segments.push(segment)
    at = end
  }
  return bytes
}

/** The position after the EOI marker of the scans that begin at `at`, or the end of the file. */
export const endOfImage = (bytes: Buffer, at: number): number => behindEnd(bytes, at) ?? bytes.length

/** Undefined where there is no EOI marker. */
export function behindEnd(bytes: Buffer, at: number): number | undefined {
  for (let marker = at; marker >= 0 && marker + 2 <= bytes.length; ) {
    const code = bytes[marker + 1] ?? 0
    // In entropy-coded data 0xff is followed by a zero; restart markers have no segment; any number of 0xff may precede a marker.
    const isAlone = code === 0 || (code >= RST0 && code <= RST7)
    if (code === EOI) return marker + 2
    if (!isAlone && code !== 0xff && marker + 4 > bytes.length) return undefined
    const next = code === 0xff ? marker + 1 : marker + 2 + (isAlone ? 0 : bytes.readUInt16BE(marker + 2))
    marker = bytes.indexOf(0xff, next)
  }
  return undefined
}

/** The same segments also carry thumbnails, a maker's notes, and multi-picture offsets, which are invalid once the file has changed. */
function isMetadata(marker: number, segment: Buffer): boolean {
  if (marker === COM) return true
  if (marker < APP0 || marker > APP15) return false
  const name = KEPT_APPS.get(marker)
  return name === undefined || segment.toString('latin1', 4, 4 + name.length) !== name
}

function orientationSegment(orientation: number): Buffer {
  const body = Buffer.concat([EXIF_HEADER, orientationOnly(orientation)])
  return Buffer.concat([Buffer.from([0xff, APP1, 0, body.length + 2]), body])
}

/** Copies the ICC profile and orientation of the stripped source file into a repacked JPEG, which lost them. */
export function withMetadataOf(source: Buffer, bytes: Buffer): Buffer {
  const segments: Buffer[] = []
  for (let at = SOI_BYTES; at + 4 <= source.length && source[at] === 0xff && source[at + 1] !== SOS; ) {
    const end = at + 2 + source.readUInt16BE(at + 2)
    if (source[at + 1] === APP1 || source[at + 1] === APP2) segments.push(source.subarray(at, end))
    at = end
  }
  return Buffer.concat([bytes.subarray(0, SOI_BYTES), ...segments, bytes.subarray(SOI_BYTES)])
}

const END = Buffer.from([0xff, EOI])

/** A JPEG with the EOI marker that it lacks; undefined where it has one, or has no scan. */
export function completedJpeg(bytes: Buffer): Completed | undefined {
  if (bytes.subarray(-END.length).equals(END)) return undefined
  const scan = markerAt(bytes, (code) => code === SOS)
  if (scan === undefined || behindEnd(bytes, scan) !== undefined) return undefined
  return { file: Buffer.concat([bytes, END]), warning: 'missing_end' }
}

/** Where the first marker of a kind is, up to the first scan. */
function markerAt(bytes: Buffer, isSought: (code: number) => boolean): number | undefined {
  for (let at = SOI_BYTES; at + 4 <= bytes.length; at = next(bytes, at)) {
    const code = bytes[at] === 0xff ? (bytes[at + 1] ?? 0) : 0
    if (isSought(code)) return at
    if (code === SOS) return undefined
  }
  return undefined
}

/** Markers of frame headers are those from SOF0 to SOF15, which are not the three others in between (T.81, table B.1). */
const SOF0 = 0xc0
const SOF15 = 0xcf
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc]

const isFrame = (code: number): boolean => code >= SOF0 && code <= SOF15 && !NO_FRAMES.includes(code)

/** Offsets in a frame header, from its marker, and the bytes of a component (T.81, B.2.2). */
const LENGTH_AT = 2
const COUNT_AT = 9
const COMPONENTS_AT = 10
const COMPONENT_BYTES = 3

/**
 * The JPEG with components for which there is no scan. libjpeg then reads all scans before the first row, as of a progressive file, so
 * that libvips, which looks for warnings before each row, sees that of the last rows too. Of no use for its colours.
 */
export function withAbsentComponents(jpeg: Buffer): Buffer {
  const at = markerAt(jpeg, isFrame)
  const count = at === undefined ? 0 : (jpeg[at + COUNT_AT] ?? 0)
  const end = (at ?? 0) + COMPONENTS_AT + count * COMPONENT_BYTES
  if (at === undefined || count === 0 || end > jpeg.length) return jpeg
  const ids = Array.from({ length: count }, (_, index) => jpeg[at + COMPONENTS_AT + index * COMPONENT_BYTES])
  const freeIds = [251, 252, 253, 254, 255].filter((id) => !ids.includes(id))
  // One component would become two, of which libvips makes no picture.
  const newComponents = freeIds.slice(0, count === 1 ? 2 : 1).map((id) => Buffer.from([id, 0x11, jpeg[end - 1] ?? 0]))
  const header = Buffer.from(jpeg.subarray(0, end))
  header.writeUInt16BE(header.readUInt16BE(at + LENGTH_AT) + newComponents.length * COMPONENT_BYTES, at + LENGTH_AT)
  header.writeUInt8(count + newComponents.length, at + COUNT_AT)
  return Buffer.concat([header, ...newComponents, jpeg.subarray(end)])
}
