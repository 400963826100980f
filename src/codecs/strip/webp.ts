import { orientationOf, orientationOnly } from './exif.ts'

const RIFF_HEADER_BYTES = 12
/** What the size in the header does not count. */
const RIFF_SIZE_BYTES = 8
const CHUNK_HEADER_BYTES = 8
/** Bits of the VP8X flags byte that announce EXIF and XMP chunks (WebP container, "Extended file format"). */
const EXIF_FLAG = 0x08
const XMP_FLAG = 0x04
/** Some writers put JPEG's header before the TIFF structure. */
const JPEG_PREFIX = 'Exif\0\0'

/**
 * A WebP without its EXIF and XMP chunks; all others are copied as they are. An orientation other than upright is
 * written back alone, and what stands behind the RIFF is dropped. A file that cannot be walked is returned unchanged.
 */
export function stripWebp(file: Buffer): Buffer {
  const bytes = file.subarray(0, Math.max(RIFF_HEADER_BYTES, RIFF_SIZE_BYTES + file.readUInt32LE(4)))
  const kept: Buffer[] = []
  let orientation = 1
  let at = RIFF_HEADER_BYTES
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(at + 4)
    const data = at + CHUNK_HEADER_BYTES
    // Chunks are padded to an even size; at the end of the file some writers forget it.
    const end = Math.min(data + size + (size & 1), bytes.length)
    if (data + size > bytes.length) return file
    const type = bytes.toString('latin1', at, at + 4)
    if (type === 'EXIF') orientation = orientationOf(withoutPrefix(bytes.subarray(data, data + size)))
    else if (type !== 'XMP ') kept.push(bytes.subarray(at, end))
    at = end
  }
  return assemble(bytes, orientation === 1 ? kept : [...kept, exifChunk(orientation)], orientation !== 1)
}

const withoutPrefix = (exif: Buffer) => (exif.toString('latin1', 0, 6) === JPEG_PREFIX ? exif.subarray(6) : exif)

function exifChunk(orientation: number): Buffer {
  const data = orientationOnly(orientation)
  const header = Buffer.from('EXIF\0\0\0\0', 'latin1')
  header.writeUInt32LE(data.length, 4)
  return Buffer.concat([header, data])
}

function assemble(original: Buffer, chunks: readonly Buffer[], hasExif: boolean): Buffer {
  const result = Buffer.concat([original.subarray(0, RIFF_HEADER_BYTES), ...chunks])
  result.writeUInt32LE(result.length - 8, 4)
  const flags = RIFF_HEADER_BYTES + CHUNK_HEADER_BYTES
  if (result.toString('latin1', RIFF_HEADER_BYTES, RIFF_HEADER_BYTES + 4) === 'VP8X' && result.length > flags) {
    const others = result.readUInt8(flags) & ~(EXIF_FLAG | XMP_FLAG)
    result.writeUInt8(hasExif ? others | EXIF_FLAG : others, flags)
  }
  return result
}
