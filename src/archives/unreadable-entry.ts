import { ApiError } from '../contract/api-error.ts'

/** One entry that cannot be read, while the others can. */
export const unreadableEntry = (reason: string, cause?: unknown): ApiError =>
  new ApiError('invalid_image', { message: `The file cannot be unpacked: ${reason}.`, cause })

/** {@link unreadableEntry}, unless the condition holds. */
export function ensureEntry(condition: boolean, reason: string): asserts condition {
  if (!condition) throw unreadableEntry(reason)
}
