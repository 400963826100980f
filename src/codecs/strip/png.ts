import { mayOrient } from './exif.ts'

const SIGNATURE_BYTES = 8
/** Length, type and checksum around each chunk's data. */
const CHUNK_OVERHEAD = 12
/** Chunks that say who, when, where and with what, and nothing about the pixels. */
const METADATA: readonly string[] = ['tEXt', 'zTXt', 'iTXt', 'tIME']

/**
 * A PNG without texts and times; the other chunks are copied as they are, checksums included. An eXIf chunk goes too,
 * unless the picture is turned by it. A file that cannot be walked is returned unchanged.
 */
export function stripPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  let at = SIGNATURE_BYTES
  while (at + CHUNK_OVERHEAD <= bytes.length) {
    const end = at + CHUNK_OVERHEAD + bytes.readUInt32BE(at)
    if (end > bytes.length) return bytes
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'eXIf' && mayOrient(bytes.subarray(at + 8, end - 4))) return bytes
    if (!METADATA.includes(type) && type !== 'eXIf') kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return Buffer.concat(kept)
    at = end
  }
  return bytes
}
