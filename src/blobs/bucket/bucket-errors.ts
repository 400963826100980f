import { S3ServiceException } from '@aws-sdk/client-s3'
import { StorageFull, StorageUnavailable } from '../blob-errors.ts'
import type { Bucket } from './bucket.ts'

/** How servers say that there is no room: Ceph; MinIO, of its disks and of a bucket's quota. */
const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']
const INSUFFICIENT_STORAGE = 507

/** What an operator can mend, by the names of S3's errors and of Node's. */
const MEND: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket; create it or correct S3_BUCKET',
  InvalidBucketName: 'S3_BUCKET is not the name of a bucket',
  InvalidAccessKeyId: 'the server does not know S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'S3_SECRET_ACCESS_KEY is wrong',
  AccessDenied: 'this key lacks a right; docs/storage.md has the list',
  PermanentRedirect: 'the bucket is in another region; correct S3_REGION',
  AuthorizationHeaderMalformed: 'the bucket is in another region; correct S3_REGION',
  RequestTimeTooSkewed: "this machine's clock and the server's differ too much; set them right",
  ECONNREFUSED: 'nothing listens there; start it or correct S3_ENDPOINT',
  ENOTFOUND: 'no machine has this name; correct S3_ENDPOINT',
  EAI_AGAIN: 'the name server does not answer; correct S3_ENDPOINT or the name service',
  TimeoutError: 'it does not answer in time',
}

/** Awaits an answer of the server. @throws StorageFull, StorageUnavailable */
export function fromServer<Result>(bucket: Bucket, answer: Promise<Result>): Promise<Result> {
  return answer.catch((error: unknown) => {
    throw serverError(bucket, error)
  })
}

export function serverError({ place }: Bucket, cause: unknown): StorageFull | StorageUnavailable {
  const { code, name, message } = { code: '', ...(cause as NodeJS.ErrnoException) }
  if (FULL.includes(errorName(cause)) || errorStatus(cause) === INSUFFICIENT_STORAGE) {
    return new StorageFull(`No room is left in ${place} (${errorName(cause)}).`, { cause })
  }
  const why = MEND[errorName(cause)] ?? MEND[code] ?? (message || code || name)
  return new StorageUnavailable(`Cannot use ${place}: ${why}.`, { cause })
}

/** Of answers without a body, to HEAD, there is only the status. */
export function errorStatus(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}
