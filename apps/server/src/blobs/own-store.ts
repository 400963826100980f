import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import type { BlobStore } from 'pixelmill/bucket/blob-store'

/** The key that holds the ID of the installation that owns the store. */
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

/** False when the folder exists without its content, as with a disk that is not mounted: then blobs must not be treated as deleted. */
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
