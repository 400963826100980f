import { Readable } from 'node:stream'
import { Upload } from '@aws-sdk/lib-storage'
import type { PutOptions, StoredBlob } from '../blob-store.ts'
import { holdSource } from '../hold-source.ts'
import type { Bucket } from './bucket.ts'
import { serverError } from './bucket-errors.ts'
import { headObject } from './object.ts'

/** S3 takes 10,000 parts, so this allows blobs of 80 GB. */
const PART_BYTES = 8 * 1024 * 1024
/** Parts on their way at once, each of them in memory. */
const PARTS = 3

/**
 * Stores a stream: in one request up to one part, else as a multipart upload, which S3 shows when it is completed.
 * An abort breaks the source and not the upload, because the SDK's own abort returns before the parts are removed.
 */
export async function upload(bucket: Bucket, key: string, source: Readable, options: PutOptions): Promise<StoredBlob> {
  const { contentType, signal } = options
  holdSource(source, signal)
  const counted = countBytes(source)
  try {
    const params = {
      Bucket: bucket.name,
      Key: key,
      ContentType: contentType,
      Body: Readable.from(counted.chunks, { objectMode: false }),
    }
    const { ETag } = await new Upload({ client: bucket.client, params, partSize: PART_BYTES, queueSize: PARTS }).done()
    // Ceph 16 completes a multipart upload with an empty ETag.
    return { bytes: counted.bytes(), etag: ETag || (await headObject(bucket, key)).etag }
  } catch (error) {
    source.destroy()
    throw counted.broken() ?? serverError(bucket, error)
  }
}

/** Passes a stream on, and remembers how long it was or what broke it: an SDK's error may be either's. */
function countBytes(source: Readable) {
  let bytes = 0
  let broken: unknown
  async function* chunks() {
    try {
      for await (const chunk of source as AsyncIterable<Buffer>) {
        bytes += chunk.length
        yield chunk
      }
    } catch (error) {
      broken = error
      throw error
    }
  }
  return { chunks: chunks(), bytes: () => bytes, broken: () => broken }
}
