import { imageFormats } from '@pixelmill/codecs/image-formats'
import { z } from 'zod'

/** Common media types of the accepted formats, and generic types. The first bytes of a file decide, not its type. */
const declarable: ReadonlySet<string> = new Set([
  '',
  'application/octet-stream',
  'binary/octet-stream',
  ...Object.values(imageFormats).flatMap(({ subtypes }) => subtypes.map((subtype) => `image/${subtype}`)),
])

/** Whether a data URI may have this media type, in lower case. */
export const isDeclarable = (mediaType: string): boolean => declarable.has(mediaType)

/** An image in a JSON body, decoded while the body was read. */
export class InlineImage {
  /** As declared, in lower case; empty where it was not. */
  readonly mediaType: string
  readonly bytes: Buffer

  constructor(mediaType: string, bytes: Buffer) {
    this.mediaType = mediaType
    this.bytes = bytes
  }
}

/** In place of an image: the data URI is malformed. */
export class DamagedImage {
  /** A sentence for the caller. */
  readonly message: string

  constructor(message: string) {
    this.message = message
  }
}

/** An image of an answer; it is sent as a data URI. */
export class OutgoingImage {
  readonly mediaType: string
  readonly bytes: Buffer

  constructor(mediaType: string, bytes: Buffer) {
    this.mediaType = mediaType
    this.bytes = bytes
  }
}

/** For the documentation: a whole PNG, of one grey pixel. */
export const EXAMPLE_DATA_URI =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg=='
const NO_DATA_URI = 'Must be an image as a Base64 data URI, such as data:image/png;base64,iVBORw0KGgo….'

function faultOf(value: unknown) {
  const message = value === undefined ? 'Is needed.' : value instanceof DamagedImage ? value.message : NO_DATA_URI
  if (typeof value === 'string' || value instanceof DamagedImage)
    return { code: 'invalid_format', format: 'data_uri', message, input: '' } as const
  return { code: 'invalid_type', expected: 'string', message, input: value } as const
}

/** A field of a JSON body that is an image: a data URI for the caller, an InlineImage for the handler. Its route says `images`. */
export const inlineImage = z
  .unknown()
  .meta({
    type: 'string',
    description: 'An image as a Base64 data URI, at most 15 MB decoded.',
    examples: [EXAMPLE_DATA_URI],
  })
  .transform((value, { issues }): InlineImage => {
    if (value instanceof InlineImage) return value
    issues.push(faultOf(value))
    return z.NEVER
  })

/** A field of an answer that is an OutgoingImage until it is sent. */
export const outgoingImage = z
  .string()
  .regex(/^data:image\/[a-z]+;base64,[A-Za-z0-9+/]+={0,2}$/)
  .meta({ description: 'The image as a Base64 data URI.', examples: [EXAMPLE_DATA_URI] })
