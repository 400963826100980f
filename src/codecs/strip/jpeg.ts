const SOI_BYTES = 2
const [APP0, APP1, APP2, APP14, APP15, COM, SOS] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe, 0xda]
/** APP segments that change how the pixels look: JFIF, ICC profile, Adobe's colour transform. */
const KEPT_APPS: readonly number[] = [APP0, APP2, APP14]

/**
 * A JPEG without EXIF, XMP and comments; entropy-coded data is copied as it is. An EXIF orientation other than
 * upright is written back alone, since dropping it would turn the picture. A file it cannot walk is returned unchanged.
 */
export function stripJpeg(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, SOI_BYTES)]
  let orientation = 1
  let at = SOI_BYTES
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (end > bytes.length) return bytes
    const segment = bytes.subarray(at, end)
    if (marker === APP1) orientation = exifOrientation(segment) ?? orientation
    if (marker === SOS) {
      const exif = orientation === 1 ? [] : [orientationSegment(orientation)]
      return Buffer.concat([...kept.slice(0, 1), ...exif, ...kept.slice(1), bytes.subarray(at)])
    }
    const metadata = marker === COM || (marker >= APP0 && marker <= APP15 && !isKept(marker, segment))
    if (!metadata) kept.push(segment)
    at = end
  }
  return bytes
}

/** APP2 also carries multi-picture offsets (MPF), which point into a file that no longer is. */
const isKept = (marker: number, segment: Buffer) =>
  KEPT_APPS.includes(marker) && (marker !== APP2 || segment.toString('latin1', 4, 15) === 'ICC_PROFILE')

/** The Orientation tag (0x0112) in the first IFD of an EXIF segment, 1–8. */
function exifOrientation(segment: Buffer): number | undefined {
  const tiff = segment.subarray(10)
  if (segment.toString('latin1', 4, 8) !== 'Exif' || tiff.length < 14) return undefined
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const u16 = (at: number) => (at + 2 > tiff.length ? 0 : little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const ifd = little ? tiff.readUInt32LE(4) : tiff.readUInt32BE(4)
  const entries = Math.min(u16(ifd), 1_000)
  for (let entry = ifd + 2; entry < ifd + 2 + entries * 12 && entry + 12 <= tiff.length; entry += 12) {
    const value = u16(entry + 8)
    if (u16(entry) === 0x0112 && value >= 1 && value <= 8) return value
  }
  return undefined
}

/** An EXIF segment of one tag, big-endian: TIFF header, one IFD entry (Orientation, SHORT, 1 value), no next IFD. */
function orientationSegment(orientation: number): Buffer {
  const entry = [0x01, 0x12, 0x00, 0x03, 0, 0, 0, 1, 0x00, orientation, 0, 0]
  const tiff = [0x4d, 0x4d, 0x00, 0x2a, 0, 0, 0, 8, 0x00, 0x01, ...entry, 0, 0, 0, 0]
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.from(tiff)])
  return Buffer.concat([Buffer.from([0xff, APP1, 0, body.length + 2]), body])
}
