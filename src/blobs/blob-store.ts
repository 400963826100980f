import { addAbortSignal, type Readable } from 'node:stream'
import type { ByteRange, ContentRange } from './byte-range.ts'

/**
 * Where files of any size are kept under a key, outside the database. Keys are checked by `assertBlobKey`.
 * Every method rejects with StorageUnavailable when the disk or the server does not do as asked.
 */
export interface BlobStore {
  /**
   * Stores a stream of unknown length in constant memory, in the place of what the key held. Nobody sees it before it is
   * whole, and of several at once the last that is whole stays. A put that fails or is aborted destroys its source and leaves
   * nothing behind; what its source threw is thrown on.
   * @throws StorageFull
   */
  put(key: string, source: Readable, options: PutOptions): Promise<StoredBlob>
  /** Its stream has to be read to the end or destroyed. @throws BlobNotFound, RangeNotSatisfiable */
  get(key: string, options?: GetOptions): Promise<BlobContent>
  /** @throws BlobNotFound */
  head(key: string): Promise<BlobHead>
  /** For formats that are read from the end, as ZIP is. @throws BlobNotFound */
  openRandom(key: string): Promise<RandomAccess>
  /** Nothing happens when there is no such blob. */
  delete(key: string): Promise<void>
  /** Up to 1,000 blobs whose keys begin with `prefix`, in the order of their bytes, after those of the page that gave `cursor`. */
  list(prefix: string, cursor?: string): Promise<BlobPage>
  /** Removes what puts left that were cut off by a crash and began before `olderThan`; tells how many. */
  sweep(olderThan: Date): Promise<number>
  /** Resolves when blobs can be written, found, listed and deleted, by doing so. @throws StorageFull */
  check(): Promise<void>
  close(): Promise<void>
}

export interface PutOptions {
  /** A bucket shows it to whoever looks in; a folder has no place for it. */
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
  /** In double quotes, as HTTP sends it; another one after every put. */
  readonly etag: string
  readonly modifiedAt: Date
}

export interface BlobContent extends BlobHead {
  readonly stream: Readable
  /** What of the blob the stream is, when a range was asked for. */
  readonly contentRange?: ContentRange
}

/** One blob as it was when it was opened. */
export interface RandomAccess {
  readonly size: number
  /** `length` bytes from `position`, fewer where the blob ends. @throws BlobNotFound when the blob was replaced or deleted */
  read(position: number, length: number): Promise<Buffer>
  close(): Promise<void>
}

export interface BlobPage {
  readonly blobs: readonly ListedBlob[]
  /** Given when there may be more. */
  readonly cursor?: string
}

export interface ListedBlob {
  readonly key: string
  readonly size: number
  readonly modifiedAt: Date
}

/** Blobs in a page of `list`: what S3 gives at most. */
export const PAGE_BLOBS = 1_000

/** What `check` writes; its dot keeps it out of every list. */
export const PROBE = '.probe'

/** No segment begins with a dot, so none is `..` and names with a dot are free for a store's own files. */
const BLOB_KEY = /^[a-z0-9_-][a-z0-9_.-]{0,199}(\/[a-z0-9_-][a-z0-9_.-]{0,199})*$/

/** S3 has 1,024; a folder of Windows and macOS has to fit in front. */
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

/** Any beginning of a key; the empty one is that of all. @throws TypeError */
export function assertBlobPrefix(prefix: string): void {
  if (prefix !== '' && !isBlobKey(prefix) && !isBlobKey(`${prefix}x`)) {
    throw new TypeError(`not the beginning of a blob key: ${JSON.stringify(prefix)}`)
  }
}

/** Lets a put's source wait until it is read, and an abort break it. To be called before anything is awaited. */
export function holdSource(source: Readable, signal: AbortSignal | undefined): void {
  // Whoever reads it hears of its error then; until that, an error without a listener would end the process.
  source.on('error', () => {})
  if (signal) addAbortSignal(signal, source)
}
