import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import type { BlobStore, ListedBlob } from 'pixelmill/bucket/blob-store'
import { BATCH_FILES } from '../../batch/batch.ts'
import { ownStore } from '../../blobs/own-store.ts'

const FILES_AT_ONCE = 4

/**
 * Copies the files of batches from one store into another, and marks that as this installation's. Files that exist there with the
 * same size are skipped, so that an interrupted copy can be continued. Returns how many were copied.
 * @throws StartError if the other store is another installation's
 */
export async function moveFiles(from: BlobStore, to: BlobStore, installation: string): Promise<number> {
  await ownStore(from, installation)
  await ownStore(to, installation)
  let copiedCount = 0
  let cursor: string | undefined
  do {
    const page = await from.list(BATCH_FILES, cursor)
    const queue = page.blobs.values()
    const copy = async () => {
      for (const blob of queue) if (await copyBlob(from, to, blob)) copiedCount++
    }
    await Promise.all(Array.from({ length: FILES_AT_ONCE }, copy))
    cursor = page.cursor
  } while (cursor !== undefined)
  return copiedCount
}

async function copyBlob(from: BlobStore, to: BlobStore, { key, size }: ListedBlob): Promise<boolean> {
  if ((await sizeOf(to, key)) === size) return false
  const { stream } = await from.get(key)
  const { bytes } = await to.put(key, stream, { contentType: 'application/octet-stream' })
  if (bytes !== size) throw new Error(`${key}: ${bytes} of ${size} bytes arrived`)
  return true
}

async function sizeOf(store: BlobStore, key: string): Promise<number | undefined> {
  try {
    return (await store.head(key)).size
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined
    throw error
  }
}
