import { limits } from '@pixelmill/codecs/contract/limits'
import { ApiError } from '../../contract/api-error.ts'
import type { Caching } from '../freshness.ts'
import type { ListedPage, ListQuery } from './list-query.ts'

/** What an origin says of a file, to ask later whether it has changed. */
export interface Validators {
  readonly etag?: string
  /** An HTTP date. */
  readonly lastModified?: string
}

/** An original file. */
export interface Original extends Validators {
  readonly bytes: Buffer
  /** Where its origin says it. */
  readonly caching?: Caching
}

/** The news that a file has not changed. */
export interface Unchanged {
  readonly bytes?: never
  readonly caching?: Caching
}

/** A file, or the news that it has not changed. */
export type Read = Original | Unchanged

/** Reads files of one source. */
export interface Origin {
  /**
   * @param path decoded segments, none of which leads out of a folder
   * @param knownValidators what was said of the file when it was read before
   * @param query of the original's URL, which only web servers have
   * @throws ApiError source_image_not_found, source_unavailable
   */
  read(path: readonly string[], knownValidators: Validators | undefined, signal: AbortSignal, query?: string): Promise<Read>
  /** Absent where files cannot be listed. @throws ApiError source_unavailable */
  list?(query: ListQuery, signal: AbortSignal): Promise<ListedPage>
}

/** Reads a file that was not read before. @throws ApiError source_image_not_found, source_unavailable */
export async function readWhole(origin: Origin, path: readonly string[], signal: AbortSignal, query?: string): Promise<Original> {
  const original = await origin.read(path, undefined, signal, query)
  if (!original.bytes) throw new Error('an origin said unchanged of a file that was never read')
  return original
}

/** The limit of every upload. */
export const MOST_BYTES = limits.uploadBytes

export const notFound = (): ApiError => new ApiError('source_image_not_found')

/** @param cause for the log @param ofCaller whether the source is a server of the account's own, which the operator cannot fix */
export const unavailable = (message: string, cause?: unknown, ofCaller = true): ApiError =>
  new ApiError('source_unavailable', { message: `The original could not be read: ${message}`, cause, ofCaller })

export const tooLarge = (): ApiError => unavailable(`it has more than ${MOST_BYTES / 2 ** 20} MB.`)
