import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Kysely } from 'kysely'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import type { BlobStore, RandomAccess } from 'pixelmill/bucket/blob-store'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import type { UploadPart, UploadRow } from './upload.ts'

/** The parts of an upload, in order. */
export const partsOf = (db: Kysely<Schema>, { id }: Pick<UploadRow, 'id'>): Promise<readonly UploadPart[]> =>
  db.selectFrom('upload_part').selectAll().where('upload_id', '=', id).orderBy('first').execute()

/** Bytes of an upload, `first` and `last` included. Reads one part after the other, as fast as the stream is read. */
export function streamParts(blobs: BlobStore, parts: readonly UploadPart[], range: { first: number; last: number }): Readable {
  return Readable.from(read(blobs, parts, range), { objectMode: false })
}

async function* read(
  blobs: BlobStore,
  parts: readonly UploadPart[],
  { first, last }: { readonly first: number; readonly last: number },
): AsyncGenerator<Buffer> {
  for (const part of parts) {
    const from = Math.max(first, part.first) - part.first
    const to = Math.min(last + 1, part.first + part.bytes) - part.first
    if (from >= to) continue
    const { stream } = await blobs.get(part.key, { range: { first: from, last: to - 1 } }).catch(throwGone)
    yield* stream as AsyncIterable<Buffer>
  }
}

/** Its files were deleted after the rows were read. */
function throwGone(error: unknown): never {
  throw error instanceof BlobNotFound ? new ApiError('upload_not_found', { cause: error }) : error
}

/** SHA-256 of all bytes. */
export async function hashParts(blobs: BlobStore, parts: readonly UploadPart[]): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of read(blobs, parts, { first: 0, last: Number.MAX_SAFE_INTEGER - 1 })) hash.update(chunk)
  return hash.digest()
}

/** All parts as one file. Each read asks the store anew: there may be thousands of parts, and none stays open. */
export function openParts(blobs: BlobStore, parts: readonly UploadPart[], size: number): RandomAccess {
  return {
    size,
    async read(position, length) {
      const last = Math.min(position + length, size) - 1
      return last < position ? Buffer.alloc(0) : await buffer(streamParts(blobs, parts, { first: position, last }))
    },
    close: async () => {},
  }
}
