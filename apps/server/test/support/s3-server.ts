import { randomUUID } from 'node:crypto'
import type { TestContext } from 'node:test'
import {
  AbortMultipartUploadCommand,
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  S3Client,
} from '@aws-sdk/client-s3'
import type { BucketLocation } from 'pixelmill/bucket/location'

const { TEST_S3_ENDPOINT: endpoint, TEST_S3_KEY, TEST_S3_SMALL_KEY } = process.env

export const noServer = endpoint && TEST_S3_KEY ? false : 'TEST_S3_ENDPOINT and TEST_S3_KEY are not set'
export const noSmallKey = endpoint && TEST_S3_SMALL_KEY ? false : 'TEST_S3_ENDPOINT and TEST_S3_SMALL_KEY are not set'

/** The user with a quota of one mebibyte. */
export const smallKey = TEST_S3_SMALL_KEY

/** An empty bucket that goes when the test ends; `key` is `id:secret`. */
export async function bucketOnServer(test: Pick<TestContext, 'after'>, key = TEST_S3_KEY) {
  const [accessKeyId = '', secretAccessKey = ''] = (key ?? '').split(':')
  const location: BucketLocation = { endpoint, bucket: `test-${randomUUID()}`, region: 'us-east-1', accessKeyId, secretAccessKey }
  const client = new S3Client({
    region: location.region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: true,
    ...(endpoint !== undefined && { endpoint }),
  })
  const Bucket = location.bucket
  const uploads = async () => (await client.send(new ListMultipartUploadsCommand({ Bucket }))).Uploads ?? []
  await client.send(new CreateBucketCommand({ Bucket }))
  test.after(async () => {
    for (const { Key, UploadId } of await uploads()) await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    await deleteObjects(client, Bucket)
    await client.send(new DeleteBucketCommand({ Bucket }))
    client.destroy()
  })
  return { location, client, unfinished: async () => (await uploads()).length }
}

async function deleteObjects(client: S3Client, Bucket: string): Promise<void> {
  for (;;) {
    const { Contents = [], IsTruncated } = await client.send(new ListObjectsV2Command({ Bucket }))
    await Promise.all(Contents.map(({ Key }) => client.send(new DeleteObjectCommand({ Bucket, Key }))))
    if (!IsTruncated) return
  }
}
