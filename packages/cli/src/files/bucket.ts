import { isImageName } from '@pixelmill/codecs/image-formats'
import { BlobNotFound, StorageFull, StorageUnavailable } from '../bucket/blob-errors.ts'
import type { Objects } from '../bucket/objects.ts'
import { ImageFailure, RunFailure, systemCode } from '../failure.ts'
import type { SourceFile, Sources } from './source.ts'
import type { Target } from './target.ts'

/** A bucket, and the beginning of keys in it. */
export interface BucketPlace {
  readonly bucket: string
  readonly prefix: string
}

const URI = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/(.*))?$/s

/** The parts of an S3 URI; undefined for what is none. */
export function bucketPlace(uri: string): BucketPlace | undefined {
  const [, bucket, prefix = ''] = URI.exec(uri) ?? []
  return bucket === undefined ? undefined : { bucket, prefix }
}

export const isBucketUri = (text: string): boolean => text.startsWith('s3://')

/**
 * Loads the S3 client only when needed: it takes 110 ms of CPU time and 33 MB, and is not installed with the command.
 * @throws RunFailure if it is not installed
 */
export async function openPlace({ bucket }: BucketPlace, endpoint: string | undefined): Promise<Objects> {
  const { openObjects } = await import('../bucket/objects.ts').catch((error: unknown) => {
    if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND' || !String(error).includes("'@aws-sdk/")) throw error
    throw new RunFailure(
      'Buckets need the S3 client of AWS, which is not installed: npm install @aws-sdk/client-s3 @aws-sdk/s3-request-presigner',
    )
  })
  return openObjects(bucket, endpoint)
}

/** The images whose keys begin with the prefix; their paths are what follows its last slash. */
export function bucketSources({ bucket, prefix }: BucketPlace, objects: Objects): Sources {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  return {
    async *list() {
      for await (const { key, size, etag } of ofRun(objects.list(prefix))) {
        if (!isImageName(key) || size === 0) continue
        yield objectSource(objects, bucket, key, key.slice(folder.length), { bytes: size, tag: etag })
      }
    },
    isGone: (origin) => origin.startsWith(`s3://${bucket}/${prefix}`),
  }
}

export function objectSource(
  objects: Objects,
  bucket: string,
  key: string,
  path: string,
  version: { readonly bytes: number; readonly tag: string },
): SourceFile {
  return {
    name: `s3://${bucket}/${key}`,
    path,
    version: () => version,
    async read() {
      try {
        return await objects.read(key)
      } catch (error) {
        if (error instanceof BlobNotFound) throw new ImageFailure('unreadable', 'there is no such object')
        throw runFailure(error)
      }
    },
  }
}

/** Results as objects whose keys begin with the prefix, which is a folder. */
export function bucketTarget({ bucket, prefix }: BucketPlace, objects: Objects): Target {
  const folder = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
  return {
    nameOf: (path) => `s3://${bucket}/${folder}${path}`,
    async versionOf(path) {
      const object = await ofServer(objects.head(`${folder}${path}`))
      return object && { bytes: object.size, tag: object.etag }
    },
    async write(path, bytes, mime, record) {
      const tag = await ofServer(objects.put(`${folder}${path}`, bytes, mime))
      record({ bytes: bytes.length, tag })
    },
    remove: (path) => ofServer(objects.remove(`${folder}${path}`)),
    async [Symbol.asyncDispose]() {
      objects.close()
    },
  }
}

async function* ofRun<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  try {
    yield* items
  } catch (error) {
    throw runFailure(error)
  }
}

const ofServer = <Answer>(answer: Promise<Answer>): Promise<Answer> =>
  answer.catch((error: unknown) => {
    throw runFailure(error)
  })

/** After all retries the run ends: what is away for one image is away for all. */
function runFailure(error: unknown): unknown {
  const isAway = error instanceof StorageUnavailable || error instanceof StorageFull
  return isAway ? new RunFailure(error.message, { cause: error }) : error
}
