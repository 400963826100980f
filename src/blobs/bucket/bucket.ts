import { S3Client } from '@aws-sdk/client-s3'
import type { BucketLocation } from './location.ts'

/** A bucket's name and what speaks to its server. */
export interface Bucket {
  readonly client: S3Client
  readonly name: string
  /** Names the place in messages. */
  readonly place: string
}

const CONNECT_MS = 5_000
/** Of silence on a connection, the reader's pauses included. */
const SILENCE_MS = 60_000
/** Downloads hold one as long as their reader takes: more than the SDK's 50, so that slow readers do not hold up puts. */
const SOCKETS = 256

/** Everything is given, because the SDK fills gaps from AWS variables and files in the home folder. */
export function connect({ endpoint, bucket, region, accessKeyId, secretAccessKey }: BucketLocation): Bucket {
  // Other servers may not know the checksums that the SDK adds since 3.729; Amazon's check them.
  const checksums = endpoint === undefined ? 'WHEN_SUPPORTED' : 'WHEN_REQUIRED'
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    // A bucket as a part of the host's name needs DNS that few servers but Amazon's have.
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestChecksumCalculation: checksums,
    responseChecksumValidation: checksums,
    useFipsEndpoint: false,
    useDualstackEndpoint: false,
    maxAttempts: 3,
    retryMode: 'standard',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: SILENCE_MS,
      httpAgent: { keepAlive: true, maxSockets: SOCKETS },
      httpsAgent: { keepAlive: true, maxSockets: SOCKETS },
    },
  })
  return { client, name: bucket, place: `the bucket ${bucket} at ${endpoint ?? `Amazon S3 in ${region}`}` }
}
