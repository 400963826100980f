import { pipeline } from 'node:stream/promises'
import { constants, crc32, createInflateRaw, inflateRawSync } from 'node:zlib'
import { megabytes } from '@pixelmill/codecs/contract/limits'
import { ApiError } from '../contract/api-error.ts'
import { ensureEntry, unreadableEntry } from './errors.ts'
import type { ArchiveEntry } from './inspect.ts'
import { DEFLATED, DESCRIPTOR_FOLLOWS, ENCRYPTED, extraFields, LOCAL_HEADER, withZip64 } from './layout.ts'
import { type ArchiveSource, readExactly } from './source.ts'

/** Compressed bytes per read: few requests to a bucket, and little memory beside the entry itself. */
const PIECE_BYTES = 1024 * 1024

/**
 * Unpacks one entry of kind `file`, in chunks. Takes no more memory than its declared size and two pieces of 1 MiB.
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
    const chunks = await pipeline(pieces, inflater, (unpackedBytes: AsyncIterable<Buffer>) => collect(unpackedBytes, entry))
    ensureEntry(inflater.bytesWritten === entry.compressedBytes, 'its data ends before the entry does')
    return chunks
  } catch (error) {
    if (isZlibError(error)) throw unreadableEntry('its data is damaged', error)
    throw error
  }
}

const isZlibError = (error: unknown): boolean => error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')

/** Collects the chunks; checks the declared size while they arrive and the CRC-32 at the end. */
async function collect(unpackedBytes: AsyncIterable<Buffer>, entry: ArchiveEntry): Promise<readonly Buffer[]> {
  const chunks: Buffer[] = []
  let bytes = 0
  let checksum = 0
  for await (const chunk of unpackedBytes) {
    bytes += chunk.length
    ensureEntry(bytes <= entry.bytes, 'it holds more bytes than the archive says')
    checksum = crc32(chunk, checksum)
    chunks.push(chunk)
  }
  ensureEntry(bytes === entry.bytes, 'it holds fewer bytes than the archive says')
  ensureEntry(checksum === entry.packed.crc32, 'its checksum is wrong')
  return chunks
}

/** Expected extra fields of the local header, for times and owners; more than this takes a second read. */
const EXTRA_BYTES = 128
/** Compressed bytes needed for the first unpacked ones: a block's code tables take up to 300. */
const PACKED_BYTES = 1_024

/**
 * Unpacks the first `bytes` bytes of an entry of kind `file`, or fewer where it ends. Usually takes one read of the source.
 * @throws ApiError `invalid_image` if they cannot be unpacked
 */
export async function readHead(source: ArchiveSource, entry: ArchiveEntry, bytes: number): Promise<Buffer> {
  const { headerAt, endsBefore, method, rawName } = entry.packed
  const nameBytes = Buffer.byteLength(rawName, 'base64')
  const likely = Math.min(endsBefore - headerAt, LOCAL_HEADER.bytes + nameBytes + EXTRA_BYTES + PACKED_BYTES)
  const near = await readAhead(source, headerAt, likely)
  const packedBytes = await readExactly(near, await findData(near, entry), Math.min(entry.compressedBytes, PACKED_BYTES))
  return (method === DEFLATED ? inflateStart(packedBytes) : packedBytes).subarray(0, Math.min(bytes, entry.bytes))
}

/** The source with this range held in memory. */
async function readAhead(source: ArchiveSource, at: number, length: number): Promise<ArchiveSource> {
  const window = await readExactly(source, at, length)
  return {
    size: source.size,
    async read(position, bytes) {
      const inside = position >= at && position + bytes <= at + length
      return inside ? window.subarray(position - at, position - at + bytes) : source.read(position, bytes)
    },
  }
}

function inflateStart(packedBytes: Buffer): Buffer {
  try {
    // The data is truncated: with this flush zlib does not require its end.
    return inflateRawSync(packedBytes, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    throw unreadableEntry('its data is damaged', error)
  }
}

/**
 * Finds where an entry's data begins, usually in one read of the source. The local header must agree with the directory.
 * @throws ApiError `invalid_image`
 */
async function findData(source: ArchiveSource, entry: ArchiveEntry): Promise<number> {
  const { headerAt, endsBefore, method, rawName } = entry.packed
  const likely = LOCAL_HEADER.bytes + Buffer.byteLength(rawName, 'base64') + EXTRA_BYTES
  const near = await readAhead(source, headerAt, Math.min(endsBefore - headerAt, likely))
  const localHeader = await readExactly(near, headerAt, LOCAL_HEADER.bytes)
  ensureEntry(localHeader.readUInt32LE(0) === LOCAL_HEADER.signature, 'its header is missing')
  const nameBytes = localHeader.readUInt16LE(26)
  const extraBytes = localHeader.readUInt16LE(28)
  const dataAt = headerAt + LOCAL_HEADER.bytes + nameBytes + extraBytes
  ensureEntry(dataAt + entry.compressedBytes <= endsBefore, 'it overlaps what follows it')
  const rest = await readExactly(near, headerAt + LOCAL_HEADER.bytes, nameBytes + extraBytes)
  ensureEntry(rest.toString('base64', 0, nameBytes) === rawName, 'its header gives another name than the directory')
  const flags = localHeader.readUInt16LE(6)
  ensureEntry(
    localHeader.readUInt16LE(8) === method && (flags & ENCRYPTED) === 0,
    'its header gives another method than the directory',
  )
  const sizes = withZip64([localHeader.readUInt32LE(22), localHeader.readUInt32LE(18)], extraFields(rest.subarray(nameBytes)))
  ensureEntry(sizes !== undefined, 'the ZIP64 sizes in its header are damaged')
  const statedNumbers = [localHeader.readUInt32LE(14), ...sizes]
  const expected = [entry.packed.crc32, entry.bytes, entry.compressedBytes]
  // With a data descriptor these are zeros, and the numbers follow the data.
  const mayBeZero = (flags & DESCRIPTOR_FOLLOWS) !== 0
  const same = statedNumbers.every((number, nth) => number === expected[nth] || (mayBeZero && number === 0))
  ensureEntry(same, 'its header gives other sizes than the directory')
  return dataAt
}
