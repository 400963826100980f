import type { Readable } from 'node:stream'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import type { PutOptions, StoredBlob } from '../blob-store.ts'
import { holdSource } from '../hold-source.ts'
import type { Bucket } from './bucket.ts'
import { fromServer } from './bucket-errors.ts'
import { beginMultipart } from './multipart.ts'
import { type Part, partsOf } from './parts.ts'

/** Parts on their way at once: with the one that is being filled, 32 MiB of memory. */
const PARTS_AT_ONCE = 3

/**
 * Stores a stream: in one request up to one part, else as a multipart upload, which S3 shows when it is completed.
 * Written here, because the SDK's own `Upload` returns from an abort while its parts are still being stored and removed.
 */
export async function upload(bucket: Bucket, key: string, source: Readable, options: PutOptions): Promise<StoredBlob> {
  holdSource(source, options.signal)
  try {
    const parts = partsOf(source)
    const first = (await parts.next()).value
    if (first?.last === false) return await putParts(bucket, key, resume(first, parts), options)
    return await putWhole(bucket, key, first?.bytes ?? Buffer.alloc(0), options)
  } finally {
    source.destroy()
  }
}

async function putWhole(bucket: Bucket, key: string, bytes: Buffer, { contentType, signal }: PutOptions): Promise<StoredBlob> {
  signal?.throwIfAborted()
  const object = { Bucket: bucket.name, Key: key, ContentType: contentType, Body: bytes }
  const { ETag } = await fromServer(bucket, bucket.client.send(new PutObjectCommand(object)))
  return { bytes: bytes.length, etag: ETag ?? '' }
}

async function* resume(first: Part, rest: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
  yield first
  yield* rest
}

async function putParts(
  bucket: Bucket,
  key: string,
  parts: AsyncGenerator<Part, void>,
  options: PutOptions,
): Promise<StoredBlob> {
  const multipart = await beginMultipart(bucket, key, options.contentType)
  try {
    const bytes = await sendAll(parts, (part) => multipart.send(part))
    options.signal?.throwIfAborted()
    return { bytes, etag: await multipart.complete() }
  } catch (error) {
    await multipart.abort(error)
    throw error
  }
}

/**
 * Sends parts as they come, some at once, and tells their bytes. After a failure none is begun, and those on their way are
 * waited for: one that arrives after the upload was aborted would be stored for ever.
 */
async function sendAll(parts: AsyncGenerator<Part, void>, send: (part: Part) => Promise<void>): Promise<number> {
  const failures: unknown[] = []
  let bytes = 0
  const work = async () => {
    // Leaving the loop by an error closes the generator, and with it the source, to the others.
    for await (const part of parts) {
      bytes += part.bytes.length
      await send(part)
      part.release()
    }
  }
  const workers = Array.from({ length: PARTS_AT_ONCE }, () => work().catch((error) => failures.push(error)))
  await Promise.all(workers)
  if (failures.length > 0) throw failures[0]
  return bytes
}
