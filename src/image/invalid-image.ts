import { UnreadableError } from '../codecs/reader.ts'
import { ApiError } from '../contract/api-error.ts'

/** The caller's fault, in our own sentence where we have one; a library's words go to the log only. */
export const invalidImage = (cause: unknown): ApiError =>
  cause instanceof UnreadableError
    ? new ApiError('invalid_image', { message: `The image cannot be read: ${cause.message}.`, cause })
    : new ApiError('invalid_image', { cause })
