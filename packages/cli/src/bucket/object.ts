import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { BlobNotFound, RangeNotSatisfiable, StorageUnavailable } from './blob-errors.ts'
import type { BlobContent, BlobHead, GetOptions } from './blob-store.ts'
import { type Bucket, connect, errorName, errorStatus, fromServer, serverError } from './bucket.ts'
import { type ByteRange, type ContentRange, rangeHeader } from './byte-range.ts'
import type { BucketLocation } from './location.ts'

const NOT_FOUND = 404
/** The blob is not the one that `IfMatch` named. */
const PRECONDITION_FAILED = 412
const RANGE_NOT_SATISFIABLE = 416

/** Seconds for which a signed request is valid: clocks differ, and a connection may wait. */
const VALID_S = 300

/** Signs GET requests for objects, as URLs that any HTTP client can send. Sends nothing itself. */
export function openSigner(location: BucketLocation): (key: string) => Promise<string> {
  const { client, name } = connect(location)
  return (key) => getSignedUrl(client, new GetObjectCommand({ Bucket: name, Key: key }), { expiresIn: VALID_S })
}

/** @throws BlobNotFound, StorageUnavailable */
export async function headObject(bucket: Bucket, key: string): Promise<BlobHead> {
  const answer = bucket.client.send(new HeadObjectCommand({ Bucket: bucket.name, Key: key }))
  const head = await answer.catch((error) => Promise.reject(missingOr(bucket, key, error)))
  return { ...describe(head), size: head.ContentLength ?? 0 }
}

/** @throws BlobNotFound, RangeNotSatisfiable, StorageUnavailable */
export async function getObject(bucket: Bucket, key: string, { range }: GetOptions): Promise<BlobContent> {
  const rangeParameter = range && rangeHeader(range)
  // Servers differ in their answer to a suffix of zero bytes.
  if (rangeParameter === 'bytes=-0') throw new RangeNotSatisfiable((await headObject(bucket, key)).size)
  const object = await request(bucket, key, { Range: rangeParameter }).catch(async (error) => {
    if (errorStatus(error) === RANGE_NOT_SATISFIABLE) throw new RangeNotSatisfiable((await headObject(bucket, key)).size)
    throw missingOr(bucket, key, error)
  })
  const whole = { ...describe(object), size: object.ContentLength ?? 0, stream: bodyOf(object) }
  return range ? { ...whole, ...sentRange(bucket, object) } : whole
}

/** Reads a range of the blob with this ETag. @throws BlobNotFound, StorageUnavailable */
export async function readObject(bucket: Bucket, key: string, etag: string, range: ByteRange): Promise<Buffer> {
  const answer = request(bucket, key, { Range: rangeHeader(range), IfMatch: etag })
  const object = await answer.catch((error) => Promise.reject(missingOr(bucket, key, error)))
  return await fromServer(bucket, buffer(bodyOf(object)))
}

function request({ client, name }: Bucket, key: string, how: { Range: string | undefined; IfMatch?: string }) {
  return client.send(new GetObjectCommand({ Bucket: name, Key: key, ...how }))
}

function missingOr(bucket: Bucket, key: string, error: unknown): Error {
  const status = errorStatus(error)
  const missing = status === NOT_FOUND && errorName(error) !== 'NoSuchBucket'
  return missing || status === PRECONDITION_FAILED ? new BlobNotFound(key) : serverError(bucket, error)
}

function describe({ ETag, LastModified }: HeadObjectCommandOutput | GetObjectCommandOutput): Omit<BlobHead, 'size'> {
  return { etag: ETag ?? '', modifiedAt: LastModified ?? new Date(0) }
}

function bodyOf({ Body }: GetObjectCommandOutput): Readable {
  return Body instanceof Readable ? Body : Readable.from([])
}

const CONTENT_RANGE = /^bytes (\d+)-(\d+)\/(\d+)$/

function sentRange({ place }: Bucket, object: GetObjectCommandOutput): { size: number; contentRange: ContentRange } {
  const [, first, last, size] = CONTENT_RANGE.exec(object.ContentRange ?? '') ?? []
  if (size !== undefined) return { size: Number(size), contentRange: { first: Number(first), last: Number(last) } }
  bodyOf(object).destroy()
  throw new StorageUnavailable(`Cannot use ${place}: it sends no part of an object.`)
}

/** Holds a ZIP's directory of 2,000 files in one request. */
const WINDOW_BYTES = 256 * 1024

interface Window {
  readonly start: number
  readonly bytes: Buffer
}

/** Gets the bytes from `first` to `last`, both included and inside the blob. */
export type FetchBytes = (first: number, last: number) => Promise<Buffer>

/**
 * Random access to a blob of `size` bytes by requests of at least 256 KiB, the last of which is cached.
 * Near the end the request covers the last 256 KiB, since such readers go backwards.
 */
export function readAhead(size: number, load: FetchBytes): (position: number, length: number) => Promise<Buffer> {
  let bytesAhead: Window = { start: 0, bytes: Buffer.alloc(0) }
  return async (position, length) => {
    const end = Math.min(position + length, size)
    if (position >= end) return Buffer.alloc(0)
    const window = covers(bytesAhead, position, end) ? bytesAhead : await fetchWindow(position, end)
    bytesAhead = window
    return window.bytes.subarray(position - window.start, end - window.start)
  }

  async function fetchWindow(position: number, end: number): Promise<Window> {
    const start = Math.max(0, Math.min(position, size - WINDOW_BYTES))
    const stop = Math.min(size, Math.max(end, start + WINDOW_BYTES))
    return { start, bytes: await load(start, stop - 1) }
  }
}

function covers({ start, bytes }: Window, position: number, end: number): boolean {
  return position >= start && end <= start + bytes.length
}
