import { isRefusal } from '@pixelmill/codecs/contract/api-error'
import type { ErrorName } from '@pixelmill/codecs/contract/errors'

/** Why an image was not converted, besides the errors of docs/errors.md: stable identifiers, in JSON lines and verdicts. */
export const failures = {
  unreadable: 'The file or folder cannot be read',
  linked: 'The image has several names, which replacing it would separate',
  invalid_name: 'The name is not valid UTF-8, or leads out of the target',
  invalid_line: 'The line of the manifest is not valid',
  unwritable: 'The result cannot be written',
  target_exists: 'The target exists, and Pixelmill has not written it: name another target, or add --overwrite',
  target_taken: 'Another image of this run has the same target: keep them apart with --name',
} as const satisfies Readonly<Record<string, string>>

export type FailureCode = keyof typeof failures | ErrorName

/** The error of one image, as programs get it. */
export interface ReportedError {
  readonly code: FailureCode
  readonly message: string
}

/** An image cannot be converted. Other images are not affected. */
export class ImageFailure extends Error {
  override name = 'ImageFailure' as const
  readonly code: FailureCode

  constructor(code: keyof typeof failures, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? `${failures[code]}.` : `${failures[code]}: ${detail}.`, options)
    this.code = code
  }
}

/** Ends the whole run, such as a full disk: printed as one line. What is done stays done. */
export class RunFailure extends Error {
  override name = 'RunFailure' as const
}

/** The error of an image; undefined if it is none of the image's. */
export function imageError(error: unknown): ReportedError | undefined {
  if (!(error instanceof ImageFailure || isRefusal(error))) return undefined
  return { code: error.code, message: error.message }
}

/** A file system's error code, such as ENOENT. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
