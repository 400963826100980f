import { mayOrient } from './exif.ts'

const RIFF_HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
/** Bits of the VP8X flags byte that announce EXIF and XMP chunks (WebP container, "Extended file format"). */
const EXIF_AND_XMP_FLAGS = 0x08 | 0x04

/**
 * A WebP without its EXIF and XMP chunks; all others are copied as they are. A file that cannot be walked, or that its
 * EXIF turns, is returned unchanged.
 */
export function stripWebp(bytes: Buffer): Buffer {
  const kept: Buffer[] = []
  let at = RIFF_HEADER_BYTES
  while (at + CHUNK_HEADER_BYTES <= bytes.length) {
    const size = bytes.readUInt32LE(at + 4)
    // Chunks are padded to an even size.
    const end = at + CHUNK_HEADER_BYTES + size + (size & 1)
    if (end > bytes.length) return bytes
    const type = bytes.toString('latin1', at, at + 4)
    const chunk = Buffer.from(bytes.subarray(at, end))
    if (type === 'EXIF' && mayOrient(chunk)) return bytes
    if (type === 'VP8X' && size > 0)
      chunk.writeUInt8(chunk.readUInt8(CHUNK_HEADER_BYTES) & ~EXIF_AND_XMP_FLAGS, CHUNK_HEADER_BYTES)
    if (type !== 'EXIF' && type !== 'XMP ') kept.push(chunk)
    at = end
  }
  const body = Buffer.concat(kept)
  const header = Buffer.from(bytes.subarray(0, RIFF_HEADER_BYTES))
  header.writeUInt32LE(body.length + 4, 4)
  return Buffer.concat([header, body])
}
