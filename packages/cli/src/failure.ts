import { CodedError } from '@pixelmill/codecs/contract/image-errors'

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

/** The error of one image, as programs get it. */
export interface ReportedError {
  /** Of docs/errors.md, or of the table above. */
  readonly code: string
  readonly message: string
}

/** An image cannot be converted. Other images are not affected. */
export class ImageFailure extends Error {
  override name = 'ImageFailure' as const
  readonly code: keyof typeof failures

  constructor(code: keyof typeof failures, detail?: string, options?: ErrorOptions) {
    super(detail === undefined ? `${failures[code]}.` : `${failures[code]}: ${detail}.`, options)
    this.code = code
  }
}

/** What a server answered about an image. */
export class AnsweredFault extends CodedError<string> {
  override name = 'AnsweredFault' as const

  constructor(code: string, message: string) {
    super(code, message)
  }
}

/** Ends the whole run, such as a full disk: printed as one line. What is done stays done. */
export class RunFailure extends Error {
  override name = 'RunFailure' as const
}

/** The error of an image; undefined if it is none of the image's. */
export function imageError(error: unknown): ReportedError | undefined {
  if (!(error instanceof ImageFailure || error instanceof CodedError)) return undefined
  return { code: error.code, message: error.message }
}

/** A file system's error code, such as ENOENT. */
export const systemCode = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : String(error)
