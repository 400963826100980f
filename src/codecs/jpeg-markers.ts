import { limits } from '../contract/limits.ts'

const [SOI_BYTES, MARKER_BYTES] = [2, 2]
/** Markers without a segment, and those that begin and end pictures and scans (ITU-T T.81, table B.1). */
const [TEM, RST0, RST7, EOI, SOS] = [0x01, 0xd0, 0xd7, 0xd9, 0xda]
const START_OF_SCAN = Buffer.from([0xff, SOS])

const { jpegScans, parts } = limits.structure

/**
 * What a JPEG has too many of: scans, each of which a decoder runs over the whole picture, or segments before the first
 * scan, of which it keeps a list.
 */
export function jpegExcess(bytes: Buffer): string | undefined {
  if (markersBeforeScan(bytes) > parts) return `${parts} marker segments`
  return scansOf(bytes, jpegScans) > jpegScans ? `${jpegScans} scans` : undefined
}

/** Scans of a JPEG; counts up to one more than `most`, and metadata with them where that is no more. */
export function scansOf(bytes: Buffer, most: number): number {
  // Every start of a scan is found so, and some bytes of metadata and of embedded pictures: 0.06 ms a megabyte.
  const found = occurrences(bytes, START_OF_SCAN, most)
  return found <= most ? found : scansMet(bytes, most)
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

/** Scans up to the end of the picture, as a decoder meets them; counts up to one more than `most`. */
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

/** Behind a marker and its segment, or at the next byte that may begin one. */
function next(bytes: Buffer, at: number): number {
  if (bytes[at] === 0xff && bytes[at + 1] !== 0) return bytes[at + 1] === 0xff ? at + 1 : behind(bytes, at)
  const found = bytes.indexOf(0xff, at + 1)
  return found < 0 ? bytes.length : found
}

function behind(bytes: Buffer, at: number): number {
  const code = bytes[at + 1] ?? 0
  const isAlone = code === TEM || (code >= RST0 && code <= RST7)
  return at + MARKER_BYTES + (isAlone ? 0 : bytes.readUInt16BE(at + 2))
}
