import { AbortMultipartUploadCommand, ListMultipartUploadsCommand, type MultipartUpload } from '@aws-sdk/client-s3'
import type { Bucket } from './bucket.ts'
import { errorName } from './bucket-errors.ts'

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
