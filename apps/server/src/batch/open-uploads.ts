import type { BlobStore, RandomAccess } from 'pixelmill/bucket/blob-store'
import { uploadKey } from './batch.ts'

/** The archives of all images in a worker's hands, each opened once. */
export interface Uploads {
  /** Keeps a batch's archive open, once it is, until the returned function is called. */
  keep(batchId: string): () => void
  /** @throws BlobNotFound */
  use<Result>(batchId: string, work: (upload: RandomAccess) => Promise<Result>): Promise<Result>
}

interface OpenUpload {
  users: number
  upload?: Promise<RandomAccess>
}

export class OpenUploads implements Uploads {
  readonly #blobs: BlobStore
  readonly #uploads = new Map<string, OpenUpload>()

  constructor(blobs: BlobStore) {
    this.#blobs = blobs
  }

  keep(batchId: string): () => void {
    const open = this.#enter(batchId)
    return () => this.#leave(batchId, open)
  }

  async use<Result>(batchId: string, work: (upload: RandomAccess) => Promise<Result>): Promise<Result> {
    const open = this.#enter(batchId)
    try {
      return await work(await this.#uploadOf(batchId, open))
    } finally {
      this.#leave(batchId, open)
    }
  }

  #enter(batchId: string): OpenUpload {
    const open = this.#uploads.get(batchId) ?? { users: 0 }
    this.#uploads.set(batchId, open)
    open.users++
    return open
  }

  #leave(batchId: string, open: OpenUpload): void {
    open.users--
    if (open.users > 0) return
    this.#uploads.delete(batchId)
    // An error on closing does not matter after reading; one on opening was already thrown to the users.
    open.upload?.then((upload) => upload.close()).catch(() => {})
  }

  #uploadOf(batchId: string, open: OpenUpload): Promise<RandomAccess> {
    open.upload ??= this.#blobs.openRandom(uploadKey(batchId)).catch((error: unknown) => {
      // The next image tries again.
      delete open.upload
      throw error
    })
    return open.upload
  }
}
