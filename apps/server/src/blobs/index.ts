import { join } from 'node:path'
import { MiB } from '@pixelmill/codecs/contract/limits'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { StorageFull, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { type BucketSettings, bucketLocation } from 'pixelmill/bucket/location'
import { openFolder } from './folder/folder-store.ts'

export interface BlobSettings extends BucketSettings {
  /** Mebibytes that puts into a folder leave free on its disk. */
  readonly STORAGE_RESERVE_MB: number
}

/**
 * Opens the configured bucket, or the folder `blobs` in the data folder, and checks it. A full store is
 * opened too, since it can be read and emptied.
 * @throws StartError when the bucket's settings are incomplete, or the store cannot be written
 */
export async function openBlobs(dataDir: string, settings: BlobSettings): Promise<BlobStore> {
  const location = bucketLocation(settings)
  const disk = { root: join(dataDir, 'blobs'), reserveBytes: settings.STORAGE_RESERVE_MB * MiB }
  const opening = location ? openBucketLazily(location) : openFolder(disk)
  return await opening.then(checkStore).catch((error) => {
    if (error instanceof StorageFull || error instanceof StorageUnavailable) throw new StartError(error.message)
    throw error
  })
}

/** Loads the S3 client only when needed: it takes 110 ms of CPU time and 33 MB. */
async function openBucketLazily(location: NonNullable<ReturnType<typeof bucketLocation>>): Promise<BlobStore> {
  const { openBucket } = await import('./bucket/bucket-store.ts')
  return openBucket(location)
}

async function checkStore(store: BlobStore): Promise<BlobStore> {
  try {
    await store.check()
    return store
  } catch (error) {
    if (error instanceof StorageFull) return store
    await store.close()
    throw error
  }
}
