import { ApiError } from '../contract/api-error.ts'

/** `invalid_archive`, unless the condition holds; the message says of the archive, or of which entry, what is wrong. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ApiError('invalid_archive', { message: `The archive cannot be used: ${message}.` })
}

/** An entry's path as it stands in a sentence: short, and in quotes that show what does not print. */
export const quoted = (path: string): string => JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path)

/** One entry that cannot be read, while the others can. */
export const unreadableEntry = (reason: string, cause?: unknown): ApiError =>
  new ApiError('invalid_image', { message: `The file cannot be unpacked: ${reason}.`, cause })

/** {@link unreadableEntry}, unless the condition holds. */
export function ensureEntry(condition: boolean, reason: string): asserts condition {
  if (!condition) throw unreadableEntry(reason)
}
