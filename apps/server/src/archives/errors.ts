import { ApiError } from '../contract/api-error.ts'

/** @throws ApiError `invalid_archive` unless the condition holds; the message continues "The archive cannot be used: " */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ApiError('invalid_archive', { message: `The archive cannot be used: ${message}.` })
}

/** An entry's path for a sentence: shortened, quoted, and with control characters escaped. */
export const quotePath = (path: string): string => JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path)

/** An error of one entry; the others can still be read. */
export const unreadableEntry = (reason: string, cause?: unknown): ApiError =>
  new ApiError('invalid_image', { message: `The file cannot be unpacked: ${reason}.`, cause })

/** {@link unreadableEntry}, unless the condition holds. */
export function ensureEntry(condition: boolean, reason: string): asserts condition {
  if (!condition) throw unreadableEntry(reason)
}
