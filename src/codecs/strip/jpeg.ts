import { orientationOf, orientationOnly } from './exif.ts'

const SOI_BYTES = 2
const EXIF_HEADER = Buffer.from('Exif\0\0', 'latin1')
const [APP0, APP1, APP2, APP14, APP15, COM] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe]
const [SOS, EOI, RST0, RST7] = [0xda, 0xd9, 0xd0, 0xd7]
/** APP segments that change how the pixels look: JFIF, ICC profile, Adobe's colour transform. */
const KEPT_APPS: readonly number[] = [APP0, APP2, APP14]

/**
 * A JPEG without EXIF, XMP and comments, and without what stands behind it, as the film of a phone's "live" picture does; entropy-
 * coded data is copied as it is. An EXIF orientation other than
 * upright is written back alone, since dropping it would turn the picture. A file it cannot walk is returned unchanged.
 */
export function stripJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  let orientation = 1
  let at = SOI_BYTES
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return bytes
    if (marker === SOS) {
      const exif = orientation === 1 ? [] : [orientationSegment(orientation)]
      return Buffer.concat([bytes.subarray(0, SOI_BYTES), ...exif, ...kept, bytes.subarray(at, endOfImage(bytes, at))])
    }
    const segment = bytes.subarray(at, end)
    if (marker === APP1 && segment.subarray(4, 10).equals(EXIF_HEADER)) orientation = orientationOf(segment.subarray(10))
    if (!isMetadata(marker, segment)) kept.push(segment)
    at = end
  }
  return bytes
}

/** Behind the EOI marker of the scans that begin at `at`; the end of the file where there is none. */
function endOfImage(bytes: Buffer, at: number): number {
  for (let marker = at; marker >= 0 && marker + 4 <= bytes.length; ) {
    const code = bytes[marker + 1] ?? 0
    // In entropy-coded data 0xff is followed by a zero; restarts stand alone; and any number of 0xff may come before a marker.
    const isAlone = code === 0 || (code >= RST0 && code <= RST7)
    if (code === EOI) return marker + 2
    const next = code === 0xff ? marker + 1 : marker + 2 + (isAlone ? 0 : bytes.readUInt16BE(marker + 2))
    marker = bytes.indexOf(0xff, next)
  }
  return bytes.length
}

/** APP2 also carries multi-picture offsets (MPF), which point into a file that no longer is. */
function isMetadata(marker: number, segment: Buffer): boolean {
  if (marker === COM) return true
  if (marker < APP0 || marker > APP15) return false
  return !KEPT_APPS.includes(marker) || (marker === APP2 && segment.toString('latin1', 4, 15) !== 'ICC_PROFILE')
}

function orientationSegment(orientation: number): Buffer {
  const body = Buffer.concat([EXIF_HEADER, orientationOnly(orientation)])
  return Buffer.concat([Buffer.from([0xff, APP1, 0, body.length + 2]), body])
}

/** A JPEG whose profile and orientation were lost, with those of the stripped file that it was made from. */
export function withMetadataOf(stripped: Buffer, bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let at = SOI_BYTES; at + 4 <= stripped.length && stripped[at] === 0xff && stripped[at + 1] !== SOS; ) {
    const end = at + 2 + stripped.readUInt16BE(at + 2)
    if (stripped[at + 1] === APP1 || stripped[at + 1] === APP2) kept.push(stripped.subarray(at, end))
    at = end
  }
  return Buffer.concat([bytes.subarray(0, SOI_BYTES), ...kept, bytes.subarray(SOI_BYTES)])
}
