import { crc32 } from 'node:zlib'
import { orientationOf, orientationOnly } from './exif.ts'

const SIGNATURE_BYTES = 8
/** Length, type and checksum around each chunk's data. */
const CHUNK_OVERHEAD = 12
/** Chunks that say who, when, where and with what, and nothing about the pixels. */
const METADATA: readonly string[] = ['tEXt', 'zTXt', 'iTXt', 'tIME']

/**
 * A PNG without texts, times and EXIF; the other chunks are copied as they are, checksums included. An orientation other
 * than upright is written back alone. A file that cannot be walked is returned unchanged.
 */
export function stripPng(bytes: Buffer): Buffer {
  const kept: Buffer[] = [bytes.subarray(0, SIGNATURE_BYTES)]
  let at = SIGNATURE_BYTES
  while (at + CHUNK_OVERHEAD <= bytes.length) {
    const end = at + CHUNK_OVERHEAD + bytes.readUInt32BE(at)
    if (end > bytes.length) return bytes
    const type = bytes.toString('latin1', at + 4, at + 8)
    if (type === 'eXIf') kept.push(...orientationChunk(bytes.subarray(at + 8, end - 4)))
    else if (!METADATA.includes(type)) kept.push(bytes.subarray(at, end))
    if (type === 'IEND') return Buffer.concat(kept)
    at = end
  }
  return bytes
}

function orientationChunk(exif: Buffer): readonly Buffer[] {
  const orientation = orientationOf(exif)
  if (orientation === 1) return []
  const data = orientationOnly(orientation)
  const chunk = Buffer.alloc(CHUNK_OVERHEAD + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write('eXIf', 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return [chunk]
}
