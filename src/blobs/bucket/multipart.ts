import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import { type Bucket, errorName, fromServer, serverError } from './bucket.ts'
import { headObject } from './object.ts'
import type { Part } from './upload.ts'

/** S3's way to send an object in parts: nobody sees it before `complete`, and `abort` frees what was sent. */
export interface Multipart {
  send(part: Part): Promise<void>
  /** Tells the object's etag. */
  complete(): Promise<string>
  /** `why` is told too when the server does not do it, and a sweep has to. */
  abort(why: unknown): Promise<void>
}

/** @throws StorageFull, StorageUnavailable, as do its methods */
export async function beginMultipart(bucket: Bucket, key: string, contentType: string): Promise<Multipart> {
  const { client } = bucket
  const object = { Bucket: bucket.name, Key: key }
  const begun = client.send(new CreateMultipartUploadCommand({ ...object, ContentType: contentType }))
  const { UploadId } = await fromServer(bucket, begun)
  const upload = { ...object, UploadId }
  const sent: CompletedPart[] = []
  return {
    async send({ number, bytes }) {
      const answer = client.send(new UploadPartCommand({ ...upload, PartNumber: number, Body: bytes }))
      const { $metadata: _, ...tags } = await fromServer(bucket, answer)
      sent.push({ ...tags, PartNumber: number })
    },

    async complete() {
      const Parts = sent.toSorted((one, other) => (one.PartNumber ?? 0) - (other.PartNumber ?? 0))
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

/** Aborts the uploads begun before `olderThan`, which frees their parts; tells how many. */
export async function sweepUploads(bucket: Bucket, olderThan: Date): Promise<number> {
  let swept = 0
  for await (const { Key, UploadId, Initiated } of unfinishedUploads(bucket)) {
    if (Initiated && Initiated < olderThan && (await aborted(bucket, Key, UploadId))) swept++
  }
  return swept
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

async function aborted({ client, name }: Bucket, key: string | undefined, uploadId: string | undefined): Promise<boolean> {
  try {
    await client.send(new AbortMultipartUploadCommand({ Bucket: name, Key: key, UploadId: uploadId }))
    return true
  } catch (error) {
    // It was completed or aborted meanwhile.
    if (errorName(error) === 'NoSuchUpload') return false
    throw error
  }
}
