import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { readEntry } from '../archives/read-entry.ts'
import type { ArchiveSource } from '../archives/source.ts'
import type { BlobStore } from '../blobs/blob-store.ts'
import { acceptedFormat } from '../codecs/accepted.ts'
import { ApiError } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import type { Pool } from '../rendering/pool.ts'
import type { Rendered } from '../rendering/queue.ts'
import { rendererCrashed } from '../rendering/renderer-process.ts'
import { operations } from '../tasks/index.ts'
import type { ClaimedItem } from './batch.ts'
import { partKey } from './blob-keys.ts'
import type { Converted, NotConverted } from './claims.ts'

export interface Converter {
  readonly pool: Pick<Pool, 'render'>
  readonly blobs: BlobStore
  /** Whether HEIC is accepted. */
  readonly heic: 'on' | 'off'
}

/**
 * What POST /api/v1/convert would do with the image, behind all that somebody waits for.
 * @throws ApiError as that endpoint does; what the store throws; PoolClosed, or the signal's reason
 */
export async function renderItem(
  { pool, heic }: Converter,
  upload: ArchiveSource,
  { entry, format, quality }: ClaimedItem,
  signal: AbortSignal,
): Promise<Rendered> {
  if (entry.bytes === 0) throw new ApiError('invalid_image', { message: 'The file is empty.' })
  const chunks = await readEntry(upload, entry, limits.uploadBytes)
  if (!acceptedFormat(chunks, heic)) throw new ApiError('invalid_image_type')
  const params = operations.convert.params.parse({ format, ...(quality !== null && { quality }) })
  return pool.render({ operation: 'convert', params }, [chunks], signal, 'background')
}

/** Stores a converted image under a key of this claim's own. @throws StorageFull, StorageUnavailable */
export async function storeItem(
  { blobs }: Converter,
  item: ClaimedItem,
  { bytes, codec, width, height }: Rendered,
  signal: AbortSignal,
): Promise<Omit<Converted, 'durationMs'>> {
  const { batchId, seq, attempt, entry } = item
  await blobs.put(partKey(item), Readable.from([bytes]), { contentType: codec.mime, signal })
  return {
    ...{ batchId, seq, attempt, state: 'converted', inputBytes: entry.bytes, outputBytes: bytes.length },
    ...{ crc32: crc32(bytes), width, height },
  }
}

/** The result of an image that could not be converted, in the words of the endpoint. */
export function notConverted(item: ClaimedItem, error: ApiError): Omit<NotConverted, 'durationMs'> {
  const { batchId, seq, attempt, entry } = item
  const state = rendererCrashed(error) ? 'crashed' : 'failed'
  return { batchId, seq, attempt, state, inputBytes: entry.bytes, error: { code: error.code, message: error.message } }
}
