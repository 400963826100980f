import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { BlobNotFound } from './blob-errors.ts'
import { type Bucket, errorName, errorStatus, fromServer, serverError } from './bucket.ts'
import { upload } from './upload.ts'

/** An object as a listing has it. */
export interface ListedObject {
  readonly key: string
  readonly size: number
  readonly etag: string
}

/** Objects of a user's bucket, under any keys, unlike a blob store. Every method rejects with StorageUnavailable or StorageFull. */
export interface Objects {
  /** In the order of their keys. */
  list(prefix: string): AsyncGenerator<ListedObject>
  /** @throws BlobNotFound */
  read(key: string, range?: { readonly first: number; readonly last: number }): Promise<Buffer>
  /** The object's facts; undefined if there is no such object. */
  head(key: string): Promise<ListedObject | undefined>
  /** Answers with its ETag. */
  put(key: string, bytes: Buffer, contentType: string): Promise<string>
  /** Writes an object of any length, in constant memory. It becomes visible when it is complete. */
  putStream(key: string, source: Readable, contentType: string): Promise<void>
  /** Does nothing when there is no such object. */
  remove(key: string): Promise<void>
  close(): void
}

/** What users do about an error: they name a bucket by its URI and configure AWS's tools. */
const REMEDIES: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket',
  InvalidBucketName: 'this is not the name of a bucket',
  CredentialsProviderError: 'there is no key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE',
  InvalidAccessKeyId: 'the server does not know this key',
  SignatureDoesNotMatch: 'the secret of the key is wrong',
  AccessDenied: 'this key may not do that',
  PermanentRedirect: 'the bucket is in another region: set AWS_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region: set AWS_REGION',
  RequestTimeTooSkewed: "this machine's clock and the server's differ too much",
  ECONNREFUSED: 'nothing listens there: correct AWS_ENDPOINT_URL',
  ENOTFOUND: 'no machine has this name',
  EAI_AGAIN: 'the name server does not answer',
  TimeoutError: 'it does not answer in time',
}

/** A network that is away for about a minute is waited for: the SDK waits up to 20 s between tries. */
const TRIES = 8

/**
 * Opens a bucket with the configuration of AWS's tools: environment variables, profiles, roles of a machine or a pod.
 * @param endpoint of another S3 server; undefined: Amazon's
 */
export function openObjects(name: string, endpoint: string | undefined): Objects {
  const checksums = endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED'
  const client = new S3Client({
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    maxAttempts: TRIES,
    retryMode: 'standard',
  })
  const bucket: Bucket = { client, name, place: `the bucket ${name} at ${endpoint ?? 'Amazon S3'}`, remedies: REMEDIES }
  const missingOr = (key: string) => (error: unknown) => {
    throw errorStatus(error) === 404 && errorName(error) !== 'NoSuchBucket' ? new BlobNotFound(key) : serverError(bucket, error)
  }
  return {
    async *list(prefix) {
      let after: string | undefined
      for (;;) {
        const input = { Bucket: name, Prefix: prefix, StartAfter: after }
        const { Contents = [], IsTruncated } = await fromServer(bucket, client.send(new ListObjectsV2Command(input)))
        for (const { Key = '', Size = 0, ETag = '' } of Contents) yield { key: Key, size: Size, etag: ETag }
        const last = Contents.at(-1)?.Key
        if (!IsTruncated || last === undefined) return
        after = last
      }
    },
    async read(key, range) {
      const Range = range && `bytes=${range.first}-${range.last}`
      const { Body } = await client.send(new GetObjectCommand({ Bucket: name, Key: key, Range })).catch(missingOr(key))
      return await fromServer(bucket, buffer(Body as AsyncIterable<Uint8Array>))
    },
    async head(key) {
      const answer = await client.send(new HeadObjectCommand({ Bucket: name, Key: key })).catch((error) => {
        if (errorStatus(error) === 404) return undefined
        throw serverError(bucket, error)
      })
      return answer && { key, size: answer.ContentLength ?? 0, etag: answer.ETag ?? '' }
    },
    async put(key, bytes, contentType) {
      const object = { Bucket: name, Key: key, Body: bytes, ContentType: contentType }
      const { ETag = '' } = await fromServer(bucket, client.send(new PutObjectCommand(object)))
      return ETag
    },
    async putStream(key, source, contentType) {
      await upload(bucket, key, source, { contentType })
    },
    async remove(key) {
      await fromServer(bucket, client.send(new DeleteObjectCommand({ Bucket: name, Key: key })))
    },
    close: () => client.destroy(),
  }
}
