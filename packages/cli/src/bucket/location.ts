import { StartError } from '@pixelmill/codecs/contract/start-error'

/** A bucket, and the key that may use it. */
export interface BucketLocation {
  /** Undefined: Amazon's. */
  readonly endpoint: string | undefined
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The settings of a bucket as they were read. */
export interface BucketSettings {
  readonly S3_ENDPOINT: string | undefined
  readonly S3_BUCKET: string | undefined
  readonly S3_REGION: string
  readonly S3_ACCESS_KEY_ID: string | undefined
  readonly S3_SECRET_ACCESS_KEY: string | undefined
}

/** The bucket of the settings; undefined when none is set. @throws StartError when half of one is */
export function bucketLocation(settings: BucketSettings): BucketLocation | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings
  const variables = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }
  if (Object.values(variables).every((value) => value === undefined)) return undefined
  if (S3_BUCKET !== undefined && S3_ACCESS_KEY_ID !== undefined && S3_SECRET_ACCESS_KEY !== undefined) {
    return {
      endpoint: S3_ENDPOINT,
      bucket: S3_BUCKET,
      region: settings.S3_REGION,
      accessKeyId: S3_ACCESS_KEY_ID,
      secretAccessKey: S3_SECRET_ACCESS_KEY,
    }
  }
  const missing = ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].filter(
    (name) => variables[name as keyof typeof variables] === undefined,
  )
  throw new StartError(`A bucket needs ${missing.join(' and ')} too: set it, or none of the S3 settings. See docs/storage.md.`)
}
