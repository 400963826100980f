import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { BlobNotFound, StorageFull, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import type { BucketLocation } from 'pixelmill/bucket/location'
import { bucketOnServer, noServer } from '../../../test/support/s3-server.ts'
import { openBucket } from '../bucket/bucket-store.ts'
import { listening } from './listening-bucket.ts'
import { text } from './noise.ts'

const PNG = { contentType: 'image/png' }

const WRONG: readonly (readonly [name: string, change: Partial<BucketLocation>, message: RegExp])[] = [
  ['a bucket that is not there', { bucket: 'never-made' }, /: there is no such bucket; create it or correct S3_BUCKET\.$/],
  ['an unknown key', { accessKeyId: 'NOBODY' }, /: the server does not know S3_ACCESS_KEY_ID\.$/],
  ['a wrong secret', { secretAccessKey: 'guessed' }, /: S3_SECRET_ACCESS_KEY is wrong\.$/],
]
for (const [name, change, message] of WRONG) {
  test(`${name} is reported with what to correct`, { skip: noServer }, async (t) => {
    const { location } = await bucketOnServer(t)
    const store = openBucket({ ...location, ...change })
    t.after(() => store.close())
    const assertRefused = (error: unknown) => error instanceof StorageUnavailable && message.test(error.message)
    await assert.rejects(store.check(), assertRefused)
    await assert.rejects(store.put('a', text('x'), PNG), assertRefused)
    await assert.rejects(store.get('a'), assertRefused)
    await assert.rejects(store.list(''), assertRefused)
    await assert.rejects(store.sweep(new Date()), assertRefused)
  })
}

/** Answers of servers that cannot be started here; MinIO's source has its two names. */
const ANSWERS: readonly (readonly [status: number, code: string, error: new (...args: never[]) => Error])[] = [
  [507, 'InsufficientStorage', StorageFull],
  [507, 'XMinioStorageFull', StorageFull],
  [400, 'XMinioAdminBucketQuotaExceeded', StorageFull],
  [403, 'QuotaExceeded', StorageFull],
  [403, 'AccessDenied', StorageUnavailable],
  [500, 'InternalError', StorageUnavailable],
  [503, 'SlowDown', StorageUnavailable],
  [404, 'NoSuchBucket', StorageUnavailable],
  [404, 'NoSuchKey', BlobNotFound],
]
for (const [status, code, expected] of ANSWERS) {
  test(`${status} ${code} is ${expected.name}`, async (t) => {
    const store = openBucket(await answering(t, status, code))
    t.after(() => store.close())
    const askedBlob = expected === BlobNotFound ? store.get('a') : store.put('a', text('x'), PNG)
    await assert.rejects(askedBlob, expected)
  })
}

function answering(t: TestContext, status: number, code: string): Promise<BucketLocation> {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/xml' })
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>an error of the test</Message></Error>`)
    })
  })
  return listening(t, server)
}
