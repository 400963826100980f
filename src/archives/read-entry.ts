import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { ApiError } from '../contract/api-error.ts'
import { megabytes } from '../contract/limits.ts'
import type { ArchiveEntry } from './entry.ts'
import { DEFLATED } from './layout.ts'
import { findData } from './local-header.ts'
import { type ArchiveSource, readExactly } from './source.ts'
import { ensureEntry, unreadableEntry } from './unreadable-entry.ts'

/** Of compressed bytes at once: few requests of a store, little memory beside the entry itself. */
const PIECE_BYTES = 1024 * 1024

/**
 * Unpacks one entry of kind `file`, as the chunks it came in. Takes no more memory than it declares, and two pieces of 1 MiB.
 * @throws ApiError `file_too_large` if it declares more than `maxBytes`; `invalid_image` if it is not what it declares
 */
export async function readEntry(source: ArchiveSource, entry: ArchiveEntry, maxBytes: number): Promise<readonly Buffer[]> {
  if (entry.bytes > maxBytes)
    throw new ApiError('file_too_large', { message: `The file has more than ${megabytes(maxBytes)} unpacked.` })
  const pieces = readPieces(source, await findData(source, entry), entry.compressedBytes)
  return entry.packed.method === DEFLATED ? inflate(pieces, entry) : collect(pieces, entry)
}

async function* readPieces(source: ArchiveSource, at: number, length: number): AsyncGenerator<Buffer> {
  for (let from = 0; from < length; from += PIECE_BYTES) {
    yield await readExactly(source, at + from, Math.min(PIECE_BYTES, length - from))
  }
}

async function inflate(pieces: AsyncIterable<Buffer>, entry: ArchiveEntry): Promise<readonly Buffer[]> {
  const inflater = createInflateRaw({ chunkSize: 64 * 1024 })
  try {
    const chunks = await pipeline(pieces, inflater, (unpacked: AsyncIterable<Buffer>) => collect(unpacked, entry))
    ensureEntry(inflater.bytesWritten === entry.compressedBytes, 'its data ends before the entry does')
    return chunks
  } catch (error) {
    if (isZlibError(error)) throw unreadableEntry('its data is damaged', error)
    throw error
  }
}

const isZlibError = (error: unknown): boolean => error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

/** The chunks, held to the declared size as they come and to the declared CRC-32 at their end. */
async function collect(unpacked: AsyncIterable<Buffer>, entry: ArchiveEntry): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = []
  let [bytes, checksum] = [0, 0]
  for await (const chunk of unpacked) {
    bytes += chunk.length
    ensureEntry(bytes <= entry.bytes, 'it holds more bytes than the archive says')
    checksum = crc32(chunk, checksum)
    chunks.push(chunk)
  }
  ensureEntry(bytes === entry.bytes, 'it holds fewer bytes than the archive says')
  ensureEntry(checksum === entry.packed.crc32, 'its checksum is wrong')
  return chunks
}
