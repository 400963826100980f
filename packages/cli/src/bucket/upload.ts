import type { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { holdSource, type PutOptions, type StoredBlob } from './blob-store.ts'
import { type Bucket, errorName, fromServer, serverError } from './bucket.ts'
import { headObject } from './object.ts'

/** Concurrent part uploads; with the part being filled, 32 MiB of memory. */
const PARTS_AT_ONCE = 3

/**
 * Stores a stream: in one request up to one part, else as a multipart upload, which becomes visible when completed.
 * The SDK's `Upload` is not used, because it returns from an abort while parts are still being stored and removed.
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
 * Sends parts as they arrive, some concurrently, and returns their bytes. After a failure no part is started, and those in flight are
 * awaited: a part that arrives after the abort would be stored for ever.
 */
async function sendAll(parts: AsyncGenerator<Part, void>, send: (part: Part) => Promise<void>): Promise<number> {
  const failures: unknown[] = []
  let bytes = 0
  const work = async () => {
    // An error in the loop closes the generator, and so the source, for all workers.
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

/** S3 takes 10,000 parts of at least 5 MiB, so this allows blobs of 80 GB. */
const PART_BYTES = 8 * 1024 * 1024

export interface Part {
  /** The number, from 1 on, as S3 counts. */
  readonly number: number
  readonly bytes: Buffer
  readonly last: boolean
  /** Returns the memory for a later part: garbage collection is slower than a fast source. */
  release(): void
}

/** Splits a stream into parts of 8 MiB and a last, shorter one, which is empty for an empty stream. */
export async function* partsOf(source: Readable): AsyncGenerator<Part, void> {
  const free: Buffer[] = []
  const part = (number: number, memory: Buffer, length: number, last: boolean): Part => ({
    number,
    bytes: memory.subarray(0, length),
    last,
    release: () => free.push(memory),
  })
  let number = 1
  let memory: Buffer = Buffer.allocUnsafeSlow(PART_BYTES)
  let fillLength = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    for (let offset = 0; offset < chunk.length; ) {
      if (fillLength === PART_BYTES) {
        yield part(number++, memory, fillLength, false)
        memory = free.pop() ?? Buffer.allocUnsafeSlow(PART_BYTES)
        fillLength = 0
      }
      const count = chunk.copy(memory, fillLength, offset)
      fillLength += count
      offset += count
    }
  }
  yield part(number, memory, fillLength, true)
}

/** A multipart upload of S3: invisible before `complete`; `abort` frees the sent parts. */
export interface Multipart {
  send(part: Part): Promise<void>
  /** Returns the object's ETag. */
  complete(): Promise<string>
  /** When the abort fails, the error includes `why`, and a later sweep removes the parts. */
  abort(why: unknown): Promise<void>
}

/** @throws StorageFull, StorageUnavailable, as do its methods */
async function beginMultipart(bucket: Bucket, key: string, contentType: string): Promise<Multipart> {
  const { client } = bucket
  const object = { Bucket: bucket.name, Key: key }
  const creation = client.send(new CreateMultipartUploadCommand({ ...object, ContentType: contentType }))
  const { UploadId } = await fromServer(bucket, creation)
  const upload = { ...object, UploadId }
  const completedParts: CompletedPart[] = []
  return {
    async send({ number, bytes }) {
      const answer = client.send(new UploadPartCommand({ ...upload, PartNumber: number, Body: bytes }))
      const { $metadata: _, ...tags } = await fromServer(bucket, answer)
      completedParts.push({ ...tags, PartNumber: number })
    },

    async complete() {
      const Parts = completedParts.toSorted((one, other) => (one.PartNumber ?? 0) - (other.PartNumber ?? 0))
      const answer = client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }))
      const { ETag } = await fromServer(bucket, answer)
      // Ceph 16 leaves it empty.
      return ETag || (await headObject(bucket, key)).etag
    },

    async abort(why) {
      await client.send(new AbortMultipartUploadCommand(upload)).catch((left) => {
        if (errorName(left) !== 'NoSuchUpload') throw serverError(bucket, new AggregateError([why, left], left.message))
      })
    },
  }
}

/** Aborts the uploads begun before `olderThan`, which frees their parts; returns how many. */
export async function sweepUploads(bucket: Bucket, olderThan: Date): Promise<number> {
  let sweepCount = 0
  for await (const { Key, UploadId, Initiated } of unfinishedUploads(bucket)) {
    if (Initiated && Initiated < olderThan && (await abort(bucket, Key, UploadId))) sweepCount++
  }
  return sweepCount
}

async function* unfinishedUploads({ client, name }: Bucket): AsyncGenerator<MultipartUpload> {
  let after = {}
  for (;;) {
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket: name, ...after }))
    yield* page.Uploads ?? []
    if (!page.IsTruncated) return
    after = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker }
  }
}

async function abort({ client, name }: Bucket, key: string | undefined, uploadId: string | undefined): Promise<boolean> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket: name, Key: key, UploadId: uploadId }))
    return true
  } catch (error) {
    // It was completed or aborted meanwhile.
    if (errorName(error) === 'NoSuchUpload') return false
    throw error
  }
}
