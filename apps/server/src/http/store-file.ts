import { createHash, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import type { StoredFile } from './route.ts'

/** A file that was stored as it arrived. */
export interface Stored {
  readonly id: string
  readonly key: string
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

export interface FileStore extends Pick<StoredFile, 'field' | 'key' | 'contentType' | 'tooLarge'> {
  /** Bytes that the file may have. */
  readonly bytes: number
  readonly blobs: Pick<BlobStore, 'put' | 'delete'>
}

/**
 * Streams a file of a form into the store. An empty file, as browsers send for an empty input, counts as none; `begins` is called for
 * any other, before its first byte is stored. `signal` destroys the file's stream.
 * @throws what the file's stream or the store throws, or the signal's reason; nothing is left in the store then
 */
export async function storeFile(
  file: Readable,
  { key: keyOf, contentType, blobs }: FileStore,
  begins: () => void,
  signal: AbortSignal,
): Promise<Stored | undefined> {
  const chunks: AsyncIterator<Buffer, undefined> = file[Symbol.asyncIterator]()
  const first = await chunks.next()
  if (first.done) return undefined
  begins()
  signal.throwIfAborted()
  const hash = createHash('sha256')
  async function* noteBytes(): AsyncGenerator<Buffer> {
    for (let next: IteratorResult<Buffer, undefined> = first; !next.done; next = await chunks.next()) {
      hash.update(next.value)
      yield next.value
    }
  }
  const id = randomUUID()
  const key = keyOf(id)
  const { bytes } = await blobs.put(key, Readable.from(noteBytes(), { objectMode: false }), { contentType, signal })
  return { id, key, bytes, sha256: hash.digest('hex') }
}
