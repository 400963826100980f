import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  type HeadObjectCommandOutput,
} from '@aws-sdk/client-s3'
import { BlobNotFound, RangeNotSatisfiable, StorageUnavailable } from '../blob-errors.ts'
import type { BlobContent, BlobHead, GetOptions } from '../blob-store.ts'
import { type ByteRange, type ContentRange, rangeHeader } from '../byte-range.ts'
import type { Bucket } from './bucket.ts'
import { errorName, errorStatus, fromServer, serverError } from './bucket-errors.ts'

const NOT_FOUND = 404
/** The blob is not the one that `IfMatch` named. */
const PRECONDITION_FAILED = 412
const RANGE_NOT_SATISFIABLE = 416

/** @throws BlobNotFound, StorageUnavailable */
export async function headObject(bucket: Bucket, key: string): Promise<BlobHead> {
  const answer = bucket.client.send(new HeadObjectCommand({ Bucket: bucket.name, Key: key }))
  const head = await answer.catch((error) => Promise.reject(missingOr(bucket, key, error)))
  return { ...describe(head), size: head.ContentLength ?? 0 }
}

/** @throws BlobNotFound, RangeNotSatisfiable, StorageUnavailable */
export async function getObject(bucket: Bucket, key: string, { range }: GetOptions): Promise<BlobContent> {
  const asked = range && rangeHeader(range)
  // Servers differ in what the last zero bytes are.
  if (asked === 'bytes=-0') throw new RangeNotSatisfiable((await headObject(bucket, key)).size)
  const object = await request(bucket, key, { Range: asked }).catch(async (error) => {
    if (errorStatus(error) === RANGE_NOT_SATISFIABLE) throw new RangeNotSatisfiable((await headObject(bucket, key)).size)
    throw missingOr(bucket, key, error)
  })
  const whole = { ...describe(object), size: object.ContentLength ?? 0, stream: bodyOf(object) }
  return range ? { ...whole, ...sentRange(bucket, object) } : whole
}

/** Reads some bytes of the blob that has this etag. @throws BlobNotFound, StorageUnavailable */
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
