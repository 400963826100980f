import { addAbortSignal, type Readable } from 'node:stream'
import type { ByteRange, ContentRange } from './byte-range.ts'

/**
 * Stores files of any size under a key, outside the database. Keys are checked by `assertBlobKey`.
 * Every method rejects with StorageUnavailable when the disk or the server fails.
 */
export interface BlobStore {
  /**
   * Stores a stream of unknown length in constant memory, replacing the key's previous blob. It becomes visible when it is
   * complete; of concurrent puts the last to complete wins. A put that fails or is aborted destroys its source and leaves
   * nothing behind; errors of the source are rethrown.
   * @throws StorageFull
   */
  put(key: string, source: Readable, options: PutOptions): Promise<StoredBlob>
  /**
   * Stores a blob that can be made again, in fewer steps: after a loss of power it may be missing or cut off, since nothing waits for
   * the disk. @throws StorageFull
   */
  keep(key: string, bytes: Buffer): Promise<void>
  /** The stream must be read to the end or destroyed. @throws BlobNotFound, RangeNotSatisfiable */
  get(key: string, options?: GetOptions): Promise<BlobContent>
  /** All of a small blob. @throws BlobNotFound */
  read(key: string): Promise<Buffer>
  /** @throws BlobNotFound */
  head(key: string): Promise<BlobHead>
  /** Opens for random access, for formats such as ZIP. @throws BlobNotFound */
  openRandom(key: string): Promise<RandomAccess>
  /** Does nothing when there is no such blob. */
  delete(key: string): Promise<void>
  /** Makes a blob in a folder as young as if it were new. Does nothing in a bucket, and when there is no such blob. */
  touch(key: string): Promise<void>
  /** Up to 1,000 blobs whose keys begin with `prefix`, in byte order, after the page that returned `cursor`. */
  list(prefix: string, cursor?: string): Promise<BlobPage>
  /** Removes the parts of puts that began before `olderThan` and were interrupted by a crash; returns how many. */
  sweep(olderThan: Date): Promise<number>
  /** Checks by trying that blobs can be written, found, listed and deleted. @throws StorageFull */
  check(): Promise<void>
  close(): Promise<void>
}

export interface PutOptions {
  /** Stored in a bucket, for users who browse it; ignored by a folder. */
  readonly contentType: string
  readonly signal?: AbortSignal
}

export interface GetOptions {
  readonly range?: ByteRange
}

export interface StoredBlob {
  readonly bytes: number
  readonly etag: string
}

export interface BlobHead {
  /** Bytes of the whole blob. */
  readonly size: number
  /** In double quotes, as in HTTP; changes with every put. */
  readonly etag: string
  readonly modifiedAt: Date
}

export interface BlobContent extends BlobHead {
  readonly stream: Readable
  /** The range of the stream, when one was requested. */
  readonly contentRange?: ContentRange
}

/** One blob, in the state in which it was opened. */
export interface RandomAccess {
  readonly size: number
  /** `length` bytes from `position`, fewer where the blob ends. @throws BlobNotFound when the blob was replaced or deleted */
  read(position: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export interface BlobPage {
  readonly blobs: readonly ListedBlob[]
  /** Set when there may be more. */
  readonly cursor?: string
}

export interface ListedBlob {
  readonly key: string
  readonly size: number
  readonly modifiedAt: Date
}

/** Blobs in a page of `list`: S3's maximum. */
export const PAGE_BLOBS = 1_000

/** The key that `check` writes; its dot keeps it out of every list. */
export const PROBE = '.probe'

/** No segment begins with a dot, so none is `..`, and names with a dot are free for a store's own files. */
const BLOB_KEY = /^[a-z0-9_-][a-z0-9_.-]{0,199}(\/[a-z0-9_-][a-z0-9_.-]{0,199})*$/

/** S3 allows 1,024; on Windows and macOS the folder's path is added. */
const KEY_CHARACTERS = 512

export function isBlobKey(text: string): boolean {
  return text.length <= KEY_CHARACTERS && BLOB_KEY.test(text)
}

/**
 * Segments of a-z, 0-9, `_`, `.` and `-`, up to 200 long and not begun by a dot, divided by `/`; 512 characters in all.
 * @throws TypeError, because keys are made by our own code
 */
export function assertBlobKey(key: string): void {
  if (!isBlobKey(key)) throw new TypeError(`not a blob key: ${JSON.stringify(key)}`)
}

/** Any prefix of a key, including the empty one. @throws TypeError */
export function assertBlobPrefix(prefix: string): void {
  if (prefix !== '' && !isBlobKey(prefix) && !isBlobKey(`${prefix}x`)) {
    throw new TypeError(`not the beginning of a blob key: ${JSON.stringify(prefix)}`)
  }
}

/** Prepares a put's source to wait until it is read, and to be destroyed on abort. Must be called before the first await. */
export function holdSource(source: Readable, signal: AbortSignal | undefined): void {
  // The reader gets the error later; until then an error event without a listener would end the process.
  source.on('error', () => {})
  if (signal) addAbortSignal(signal, source)
}

/** All blobs whose keys begin with `prefix`, in byte order. */
export async function* pages(blobs: BlobStore, prefix: string): AsyncGenerator<readonly ListedBlob[]> {
  let cursor: string | undefined
  do {
    const page = await blobs.list(prefix, cursor)
    yield page.blobs
    cursor = page.cursor
  } while (cursor !== undefined)
}
