import { constants, inflateRawSync } from 'node:zlib'
import type { ArchiveEntry } from './entry.ts'
import { DEFLATED, LOCAL_HEADER } from './layout.ts'
import { findData } from './local-header.ts'
import { type ArchiveSource, readExactly } from './source.ts'
import { unreadableEntry } from './unreadable-entry.ts'

/** Of extra fields in the local header, for times and owners: more than these is read once more. */
const EXTRA_BYTES = 128
/** Compressed bytes from which the first unpacked ones come: a block's tables of codes take up to 300. */
const PACKED_BYTES = 1_024

/**
 * The first bytes of an entry of kind `file`, unpacked: `bytes` of them, or fewer where it ends. Mostly one read of the source.
 * @throws ApiError `invalid_image` if they cannot be unpacked
 */
export async function readHead(source: ArchiveSource, entry: ArchiveEntry, bytes: number): Promise<Buffer> {
  const { headerAt, endsBefore, method, rawName } = entry.packed
  const nameBytes = Buffer.byteLength(rawName, 'base64')
  const likely = Math.min(endsBefore - headerAt, LOCAL_HEADER.bytes + nameBytes + EXTRA_BYTES + PACKED_BYTES)
  const near = await readAhead(source, headerAt, likely)
  const packed = await readExactly(near, await findData(near, entry), Math.min(entry.compressedBytes, PACKED_BYTES))
  return (method === DEFLATED ? inflateStart(packed) : packed).subarray(0, Math.min(bytes, entry.bytes))
}

/** The same source, of which this much is in memory. */
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

function inflateStart(packed: Buffer): Buffer {
  try {
    // The data goes on behind what was read: with this flush its end is not asked for.
    return inflateRawSync(packed, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch (error) {
    throw unreadableEntry('its data is damaged', error)
  }
}
