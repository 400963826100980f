import type { BlobStore, RandomAccess } from '../blobs/blob-store.ts'
import { uploadKey } from './blob-keys.ts'

/** Archives of which images are in hand: each is opened once for all of them. */
export interface Uploads {
  /** @throws BlobNotFound */
  use<Result>(batchId: string, work: (upload: RandomAccess) => Promise<Result>): Promise<Result>
}

interface Open {
  users: number
  readonly upload: Promise<RandomAccess>
}

export function openUploads(blobs: BlobStore): Uploads {
  const opened = new Map<string, Open>()

  function find(batchId: string): Open {
    const open = opened.get(batchId) ?? { users: 0, upload: blobs.openRandom(uploadKey(batchId)) }
    opened.set(batchId, open)
    return open
  }
  return {
    async use(batchId, work) {
      const open = find(batchId)
      open.users++
      try {
        return await work(await open.upload)
      } finally {
        open.users--
        if (open.users === 0) {
          opened.delete(batchId)
          // What was read of it is right, however its file is closed; and one that did not open has told its users.
          await open.upload.then((upload) => upload.close()).catch(() => {})
        }
      }
    },
  }
}
