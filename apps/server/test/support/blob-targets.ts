import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import type { BucketLocation } from 'pixelmill/bucket/location'
import { openBucket } from '../../src/blobs/bucket/bucket-store.ts'
import { openFolder } from '../../src/blobs/folder/folder-store.ts'
import { othersAlone } from './database-targets.ts'
import { bucketOnServer, noServer } from './s3-server.ts'

/** Where a store is, in words that a process of its own can be given. */
export type Place = { readonly folder: string } | { readonly bucket: BucketLocation }

export interface Started {
  readonly store: BlobStore
  readonly place: Place
  /** How many puts left something behind: counted without the store. */
  unfinished(): Promise<number>
}

type Test = Pick<TestContext, 'after'>

export const FOLDER = { name: 'folder', skip: othersAlone && !noServer && 'the bucket is tried', start: startFolder } as const

/** The two kinds of store; each `start` gives an empty one that goes when the test ends. */
export const TARGETS = [FOLDER, { name: 'bucket', skip: noServer, start: startBucket }] as const

const diskOf = (root: string) => ({ root, reserveBytes: 0 })

export function openPlace(place: Place): Promise<BlobStore> | BlobStore {
  return 'folder' in place ? openFolder(diskOf(place.folder)) : openBucket(place.bucket)
}

async function startFolder(test: Test): Promise<Started> {
  const folder = join(await tempFolder(test), 'blobs')
  await mkdir(folder)
  const unfinishedFiles = async () => (await readdir(join(folder, '.tmp'))).length
  return { store: await openFolder(diskOf(folder)), place: { folder }, unfinished: unfinishedFiles }
}

async function startBucket(test: Test): Promise<Started> {
  const { location, unfinished } = await bucketOnServer(test)
  const store = openBucket(location)
  test.after(() => store.close())
  return { store, place: { bucket: location }, unfinished }
}
