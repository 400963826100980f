import { join } from 'node:path'
import { MiB } from '../contract/limits.ts'
import { StartError } from '../contract/start-error.ts'
import { StorageFull, StorageUnavailable } from './blob-errors.ts'
import type { BlobStore } from './blob-store.ts'
import { type BucketSettings, bucketLocation } from './bucket/location.ts'
import { openFolder } from './folder/folder-store.ts'

export interface BlobSettings extends BucketSettings {
  /** Mebibytes that puts into a folder leave free on its disk. */
  readonly STORAGE_RESERVE_MB: number
}

/**
 * Opens the bucket that the settings name, or the folder `blobs` in the data folder, and tries it. One that is full is
 * opened too: it can be read, and emptied.
 * @throws StartError when half a bucket is set, or it or the folder cannot be written
 */
export async function openBlobs(dataDir: string, settings: BlobSettings): Promise<BlobStore> {
  const location = bucketLocation(settings)
  const disk = { root: join(dataDir, 'blobs'), reserveBytes: settings.STORAGE_RESERVE_MB * MiB }
  const opening = location ? openBucketLazily(location) : openFolder(disk)
  return await opening.then(checked).catch((error) => {
    if (error instanceof StorageFull || error instanceof StorageUnavailable) throw new StartError(error.message)
    throw error
  })
}

/** The S3 client takes 110 ms of processor time and 33 MB, which a server with a folder does not pay. */
async function openBucketLazily(location: NonNullable<ReturnType<typeof bucketLocation>>): Promise<BlobStore> {
  const { openBucket } = await import('./bucket/bucket-store.ts')
  return openBucket(location)
}

async function checked(store: BlobStore): Promise<BlobStore> {
  try {
    await store.check()
    return store
  } catch (error) {
    if (error instanceof StorageFull) return store
    await store.close()
    throw error
  }
}
