import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from '@aws-sdk/client-s3'
import { BlobNotFound, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import {
  assertBlobKey,
  assertBlobPrefix,
  type BlobPage,
  type BlobStore,
  isBlobKey,
  PAGE_BLOBS,
  PROBE,
} from 'pixelmill/bucket/blob-store'
import { type Bucket, connect, fromServer } from 'pixelmill/bucket/bucket'
import type { BucketLocation } from 'pixelmill/bucket/location'
import { getObject, headObject, readAhead, readObject } from 'pixelmill/bucket/object'
import { sweepUploads, upload } from 'pixelmill/bucket/upload'

/** Stores blobs as objects in an S3 bucket. Makes no request before the first call. */
export function openBucket(location: BucketLocation): BlobStore {
  const bucket = connect(location)
  return {
    async put(key, source, options) {
      assertBlobKey(key)
      return await upload(bucket, key, source, options)
    },

    async keep(key, bytes) {
      assertBlobKey(key)
      await upload(bucket, key, Readable.from([bytes]), { contentType: 'application/octet-stream' })
    },

    async get(key, options = {}) {
      assertBlobKey(key)
      return await getObject(bucket, key, options)
    },

    async read(key) {
      assertBlobKey(key)
      const { stream } = await getObject(bucket, key, {})
      return await fromServer(bucket, buffer(stream))
    },

    async head(key) {
      assertBlobKey(key)
      return await headObject(bucket, key)
    },

    async openRandom(key) {
      assertBlobKey(key)
      const { size, etag } = await headObject(bucket, key)
      const read = readAhead(size, (first, last) => readObject(bucket, key, etag, { first, last }))
      return { size, read, close: async () => {} }
    },

    async delete(key) {
      assertBlobKey(key)
      await deleteObject(bucket, key)
    },

    touch: async () => {},

    async list(prefix, cursor = '') {
      assertBlobPrefix(prefix)
      return await listPage(bucket, prefix, cursor)
    },

    sweep: (olderThan) => fromServer(bucket, sweepUploads(bucket, olderThan)),
    check: () => check(bucket),
    close: async () => bucket.client.destroy(),
  }
}

async function deleteObject(bucket: Bucket, key: string): Promise<void> {
  await fromServer(bucket, bucket.client.send(new DeleteObjectCommand({ Bucket: bucket.name, Key: key })))
}

/** The cursor is the last key of a page, because servers' continuation tokens expire. */
async function listPage(bucket: Bucket, prefix: string, cursor: string): Promise<BlobPage> {
  const listRequest = { Bucket: bucket.name, Prefix: prefix, StartAfter: cursor, MaxKeys: PAGE_BLOBS }
  const { Contents = [], IsTruncated } = await fromServer(bucket, bucket.client.send(new ListObjectsV2Command(listRequest)))
  const blobs = Contents.map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
    key: Key,
    size: Size,
    modifiedAt: LastModified,
  }))
  const last = Contents.at(-1)?.Key
  return { blobs: blobs.filter(({ key }) => isBlobKey(key)), ...(IsTruncated && last && { cursor: last }) }
}

/** For all of `check`: the retries of one request may take three minutes when a server does not answer. */
const CHECK_MS = 10_000

async function check(bucket: Bucket): Promise<void> {
  const rightsTrial = tryRights(bucket)
  const late = setTimeout(CHECK_MS, undefined, { ref: false }).then(() => {
    throw new StorageUnavailable(`Cannot use ${bucket.place}: it does not answer in time.`)
  })
  await Promise.race([rightsTrial, late])
}

/** Tries each permission that the key needs once. */
async function tryRights(bucket: Bucket): Promise<void> {
  const probe = new PutObjectCommand({ Bucket: bucket.name, Key: PROBE, Body: Buffer.from('probe') })
  await fromServer(bucket, bucket.client.send(probe))
  // A concurrent check may have deleted it: only the permission matters.
  await headObject(bucket, PROBE).catch((error) => {
    if (!(error instanceof BlobNotFound)) throw error
  })
  await listPage(bucket, PROBE, '')
  await deleteObject(bucket, PROBE)
}
