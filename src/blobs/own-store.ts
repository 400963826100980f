import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartError } from '../contract/start-error.ts'
import { BlobNotFound } from './blob-errors.ts'
import type { BlobStore } from './blob-store.ts'

/** Whose the store is. */
const MARK = 'installation'

/**
 * Marks an empty store as this installation's. Files without a row in the database are removed as leftovers, so two
 * databases on one store would remove each other's.
 * @throws StartError when the store is another installation's
 */
export async function ownStore(blobs: BlobStore, installation: string): Promise<void> {
  const owner = await readMark(blobs)
  if (owner === undefined) await blobs.put(MARK, Readable.from([Buffer.from(installation)]), { contentType: 'text/plain' })
  else if (owner !== installation)
    throw new StartError(
      'The folder or bucket for files belongs to another database: set DATABASE_URL to that one or to a restored copy of it, or DATA_DIR or S3_BUCKET to an empty place. See docs/backup.md.',
    )
}

/** False where the place is there and what was stored is not, as of a disk that is not mounted: nothing can be said of blobs then. */
export async function isMarked(blobs: BlobStore): Promise<boolean> {
  return (await readMark(blobs)) !== undefined
}

async function readMark(blobs: BlobStore): Promise<string | undefined> {
  try {
    return await text((await blobs.get(MARK)).stream)
  } catch (error) {
    if (error instanceof BlobNotFound) return undefined
    throw error
  }
}
