import { limits } from '@pixelmill/codecs/contract/limits'
import { isSegment } from '../address.ts'

/** What of a source is listed. */
export interface ListQuery {
  /** Beginning of the paths, decoded: `photos/2026` or `photos/`. */
  readonly prefix: string
  /** Whether what is in folders below the prefix is listed as these folders. */
  readonly byFolder: boolean
  /** Only what comes after this path. */
  readonly after: string | undefined
  /** At most so many. */
  readonly limit: number
}

/** A file that may be delivered, or a folder. */
export type ListedFile =
  | { readonly type: 'file'; readonly path: string; readonly bytes: number; readonly modifiedAt: string }
  /** Its path ends with a slash. */
  | { readonly type: 'folder'; readonly path: string }

export interface ListedPage {
  readonly data: readonly ListedFile[]
  /** The path after which the next page begins; undefined on the last one. */
  readonly next: string | undefined
}

/** Whether a path, decoded, is one that URLs of delivery can have. */
export const isListed = (path: string): boolean =>
  Buffer.byteLength(path) <= limits.delivery.pathBytes && path.split('/').every(isSegment)

/** Whether paths that are delivered can begin so. */
export function isPrefix(prefix: string): boolean {
  const folders = prefix.split('/')
  const last = folders.pop() ?? ''
  return Buffer.byteLength(prefix) <= limits.delivery.pathBytes && [...folders, ...(last === '' ? [] : [last])].every(isSegment)
}
