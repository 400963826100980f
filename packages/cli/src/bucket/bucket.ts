import { S3Client, type S3ClientConfig, S3ServiceException } from '@aws-sdk/client-s3'
import { StorageFull, StorageUnavailable } from './blob-errors.ts'
import type { BucketLocation } from './location.ts'

/** A bucket and the client for its server. */
export interface Bucket {
  readonly client: S3Client
  readonly name: string
  /** The location, for messages. */
  readonly place: string
  /** Advice by the names of S3's and Node's errors, in the words of those who chose the bucket. */
  readonly remedies: Readonly<Record<string, string>>
}

const CONNECT_MS = 5_000
/** Idle time of a connection, including pauses of the reader. */
const SILENCE_MS = 60_000
/** A download holds a socket as long as its reader takes; more than the SDK's 50, so that slow readers do not block puts. */
const SOCKETS = 256

type RequestHandler = NonNullable<S3ClientConfig['requestHandler']>

/**
 * Every option is set, because the SDK takes missing ones from AWS variables and files in the home folder.
 * @param requestHandler sends the requests in place of the SDK
 */
export function connect(
  { endpoint, bucket, region, accessKeyId, secretAccessKey }: BucketLocation,
  requestHandler?: RequestHandler,
): Bucket {
  // Other servers may not support the checksums that the SDK adds since 3.729; Amazon's verify them.
  const checksums = endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED'
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // Bucket names in the host name need DNS that few servers other than Amazon's have.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    maxAttempts: 3,
    retryMode: 'standard',
    requestHandler: requestHandler ?? {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS },
    },
  })
  return { client, name: bucket, place: `the bucket ${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}`, remedies: SETTINGS }
}

/** Error names for a full store: Ceph's, and MinIO's for its disks and for a bucket's quota. */
const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'XMinioAdminBucketQuotaExceeded']
const INSUFFICIENT_STORAGE = 507

/** What operators do about an error: they set the bucket by settings. */
const SETTINGS: Readonly<Record<string, string>> = {
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

export function serverError({ place, remedies }: Bucket, cause: unknown): StorageFull | StorageUnavailable {
  const { code, name, message } = { code: '', ...(cause as NodeJS.ErrnoException) }
  if (FULL.includes(errorName(cause)) || errorStatus(cause) === INSUFFICIENT_STORAGE) {
    return new StorageFull(`No space is left in ${place} (${errorName(cause)}).`, { cause })
  }
  const why = remedies[errorName(cause)] ?? remedies[code] ?? (message || code || name)
  return new StorageUnavailable(`Cannot use ${place}: ${why}.`, { cause })
}

/** The HTTP status, which is all that answers to HEAD have. */
export function errorStatus(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}

export function errorName(error: unknown): string {
  return error instanceof Error ? error.name : String(error)
}
