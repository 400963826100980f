import { formatList } from '../image-formats.ts'

/** An error, as data. */
export interface ErrorRow {
  /** For people: one sentence that says what to do. What is thrown may have a more specific one. */
  readonly message: string
  /** When it happens, for the documentation. */
  readonly when: string
}

/** Every error that a picture, or what is asked of it, can cause. Docs, types of the library and the errors of the API are made from it. */
export const imageErrors = {
  file_too_large: {
    message: 'Send a file of at most 15 MB.',
    when: 'A file is larger than 15 MB (15 × 1,048,576 bytes), for background removal 10 MB.',
  },
  invalid_image_type: {
    message: `Send a ${formatList('or')} image; the file is none of these.`,
    when: "The file's first bytes match no accepted format. Its name and declared type are ignored.",
  },
  invalid_image: {
    message: 'The image is damaged or cannot be read; send an intact file.',
    when: 'The file has the signature of an image, but its header or its pixels cannot be decoded.',
  },
  image_too_large: {
    message: 'Send an image of at most 80 megapixels.',
    when: 'The image or its result has more than 80 megapixels (all frames counted) or 1,000 frames, more scans, chunks, boxes or strips than any encoder writes, or a side too long for the format; or the steps of a recipe would take too long.',
  },
  // Each of `issues` has a sentence of its own: parse.ts words it.
  invalid_params: {
    message: 'One or more parameters are invalid; see issues.',
    when: 'A parameter is missing, out of range, repeated or of the wrong kind, or a path, name or text contains U+0000. `issues` names each.',
  },
  background_not_separable: {
    message: 'The subject cannot be separated from its background well enough; send a picture with a plainer background.',
    when: 'No remover is confident enough of its result. `confidence` is that of the last one.',
  },
  cannot_fit: {
    message: 'The picture does not fit in maxBytes at any quality; allow more bytes, or ask for a smaller size.',
    when: 'Even the lowest quality takes more than `maxBytes`: `smallestBytes`.',
  },
  conversion_failed: {
    message: 'The image could not be processed. Nothing was charged.',
    when: 'The renderer crashed, ran out of memory or time, or failed on a readable image.',
  },
  internal_error: {
    message: 'Something went wrong on our side. Nothing was charged; please try again.',
    when: 'A server error unrelated to the image.',
  },
  server_busy: {
    message: 'The server is overloaded; try again as Retry-After says.',
    when: 'The queue of images or of password checks is full, or the server is starting or stopping.',
  },
} as const satisfies Record<string, ErrorRow>

export type ImageErrorName = keyof typeof imageErrors

/** One faulty parameter, in the shape of a zod issue. */
export interface Issue {
  readonly path: readonly (string | number)[]
  readonly code: string
  readonly message: string
}

export interface ErrorDetails {
  /** More specific than the sentence in the table. */
  readonly message?: string | undefined
  /** With `invalid_params` only. */
  readonly issues?: readonly Issue[] | undefined
  readonly retryAfterSeconds?: number | undefined
  /** Additional fields, such as `smallestBytes` of `cannot_fit`. */
  readonly facts?: Readonly<Record<string, unknown>> | undefined
  /** For logs, never for those who sent the image. */
  readonly cause?: unknown
}

/** An error with a row in a table, whose message may be shown to whoever asked. */
export abstract class CodedError<Name extends string> extends Error {
  readonly code: Name
  readonly issues: readonly Issue[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly facts: ErrorDetails['facts']

  /** @param message for whoever asked, where `details` has none */
  constructor(code: Name, message: string, details: ErrorDetails = {}) {
    super(details.message ?? message, { cause: details.cause })
    this.code = code
    this.issues = details.issues
    this.retryAfterSeconds = details.retryAfterSeconds
    this.facts = details.facts
  }
}

/** What is wrong with an image, or with what is asked of it. Anything else that is thrown is a fault of ours. */
export class ImageError extends CodedError<ImageErrorName> {
  override name = 'ImageError' as const

  constructor(code: ImageErrorName, details: ErrorDetails = {}) {
    super(code, imageErrors[code].message, details)
  }
}

/** `invalid_params` for one parameter. */
export const invalidParam = (name: string, code: string, message: string): ImageError =>
  new ImageError('invalid_params', { message: `${name}: ${message}`, issues: [{ path: [name], code, message }] })

/** `invalid_params` with one issue for each fault. */
export const invalidParams = (issues: readonly Issue[]): ImageError =>
  new ImageError('invalid_params', {
    issues,
    message: issues.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')).join(' '),
  })
