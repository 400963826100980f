import { CreateBucketCommand, HeadBucketCommand, S3Client } from '@aws-sdk/client-s3'

/**
 * Creates the bucket of the S3_ settings if it is missing: `node deploy/make-bucket.ts`. Pixelmill itself never creates one, so
 * that a mistyped name is reported.
 */

const { S3_BUCKET: Bucket, S3_ENDPOINT: endpoint, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = process.env
const names = { S3_BUCKET: Bucket, S3_ENDPOINT: endpoint, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY }

/** A store that was started at the same time needs some seconds. */
const TRIES = 60

async function make(client: S3Client): Promise<string> {
  try {
    await client.send(new HeadBucketCommand({ Bucket }))
    return 'is there'
  } catch (error) {
    if (!(error instanceof Error && error.name === 'NotFound')) throw error
    await client.send(new CreateBucketCommand({ Bucket }))
    return 'was made'
  }
}

async function untilMade(client: S3Client): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      return await make(client)
    } catch (error) {
      if (tries === TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 1_000))
    }
  }
}

const missing = Object.entries(names).filter(([, value]) => !value)
if (missing.length > 0) {
  console.error(`${missing.map(([name]) => name).join(' and ')} must be set.`)
  process.exit(1)
}
const client = new S3Client({
  ...(endpoint && { endpoint }),
  forcePathStyle: true,
  region: S3_REGION ?? 'us-east-1',
  credentials: { accessKeyId: S3_ACCESS_KEY_ID ?? '', secretAccessKey: S3_SECRET_ACCESS_KEY ?? '' },
  requestChecksumCalculation: 'WHEN_REQUIRED',
})
try {
  console.log(`The bucket ${Bucket} ${await untilMade(client)}.`)
} catch (error) {
  console.error(`The bucket ${Bucket} could not be made: ${error instanceof Error ? error.message || error.name : error}`)
  process.exitCode = 1
} finally {
  client.destroy()
}
