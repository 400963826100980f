import { limits } from '@pixelmill/codecs/contract/limits'
import { DamagedImage, InlineImage } from '@pixelmill/engine/crops/inline-image'
import { ApiError } from '../../contract/api-error.ts'

const EMPTY = 'Must not be empty.'
export const BROKEN = 'Must be valid Base64 to its end.'

/** RFC 4648 §3.3 and §3.5: other characters and stray bits are refused. Padding may be missing, and is added at the end. */
const STRICT = { lastChunkHandling: 'strict' } as const

/** The buffer in which the images of one body are decoded, one after the other. */
export class DecodingSpace {
  readonly #largest: number
  #bytes: Buffer | undefined

  /** @param textBytes most bytes of Base64 */
  constructor(textBytes: number) {
    this.#largest = Math.min(limits.uploadBytes, Math.ceil(textBytes / 4) * 3)
  }

  /** Memory that is never written to takes no space. */
  get bytes(): Buffer {
    this.#bytes ??= Buffer.allocUnsafeSlow(this.#largest)
    return this.#bytes
  }

  /** The first `length` bytes, to keep. A large image keeps the buffer itself, since copying it would block for long. */
  take(length: number): Buffer {
    const takenBytes = this.bytes.subarray(0, length)
    if (length < this.#largest * 0.75) return Buffer.from(takenBytes)
    this.#bytes = undefined
    return takenBytes
  }
}

/** Decodes the Base64 of one image as it arrives. */
export class ImageDecoder {
  readonly #mediaType: string
  readonly #space: DecodingSpace
  #length = 0
  /** The last group of four characters, complete or not: only the last may be padded. */
  #last = ''

  constructor(mediaType: string, space: DecodingSpace) {
    this.#mediaType = mediaType
    this.#space = space
  }

  /** Whether it is Base64 so far. @throws ApiError file_too_large */
  add(text: string): boolean {
    const sofar = this.#last + text
    const whole = sofar.length - (sofar.length % 4 || 4)
    if (whole <= 0) {
      this.#last = sofar
      return true
    }
    this.#last = sofar.slice(whole)
    // Less is decoded where there is padding, or a raw control character, which the decoder skips but JSON does not allow.
    return this.#decode(sofar.slice(0, whole)) === (whole / 4) * 3
  }

  /** @throws ApiError file_too_large */
  end(): InlineImage | DamagedImage {
    if (this.#length === 0 && this.#last === '') return new DamagedImage(EMPTY)
    // A single character is less than a byte, so no padding makes it whole.
    const last = this.#last.length > 1 && !this.#last.includes('=') ? this.#last.padEnd(4, '=') : this.#last
    if (last.length !== 4 || this.#decode(last) === 0) return new DamagedImage(BROKEN)
    return new InlineImage(this.#mediaType, this.#space.take(this.#length))
  }

  /** How many bytes were decoded; 0 where it is not Base64. */
  #decode(groups: string): number {
    if (this.#length + (groups.length / 4) * 3 > limits.uploadBytes) throw new ApiError('file_too_large')
    try {
      const { written } = this.#space.bytes.subarray(this.#length).setFromBase64(groups, STRICT)
      this.#length += written
      return written
    } catch (error) {
      if (error instanceof SyntaxError) return 0
      throw error
    }
  }
}

/** For the media type and its parameters, such as a file's name: longer than any real one. */
export const LONGEST_HEAD_BYTES = 2_048

// As strict as the parser of the whole body; a byte order mark in a string is a character like others.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The media type of a Base64 data URI (RFC 2397), in lower case, from the bytes of a JSON string up to its first comma; undefined
 * where the string is something else.
 */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = unescapBytes(bytes)?.toLowerCase()
  if (!head?.startsWith('data:') || !head.endsWith(';base64,')) return undefined
  return head.slice('data:'.length, head.indexOf(';')).trim()
}

function unescapBytes(bytes: Buffer): string | undefined {
  try {
    return JSON.parse(`"${utf8.decode(bytes)}"`)
  } catch {
    // The parser of the whole body reports what is wrong with it.
    return undefined
  }
}

/** PHP writes / as \\/, .NET writes + as \\u002B, and others = as \\u003d; line breaks every 76 characters come as \\r\\n (RFC 2045). */
const ESCAPE = /\\(?:([/nrtf])|u00([0-7][0-9A-Fa-f]))/g
const HALF_ESCAPE = /\\(u[0-9A-Fa-f]{0,3})?$/
const LONGEST_HALF = 5
const WHITE_SPACE = /[ \t\n\f\r]+/g
/** RFC 8259 §7: inside a string they must be escaped. */
const CONTROL = /\p{Cc}/u

/**
 * Removes escapes and white space from the Base64 in a piece of a JSON string. The piece may end within an escape sequence, which is
 * `half`. `text` is undefined where an escaped character does not occur in Base64.
 */
export function unescapeBase64(raw: string): { readonly text: string | undefined; readonly half: string } {
  if (!raw.includes('\\') && !raw.includes(' ')) return { text: raw, half: '' }
  if (CONTROL.test(raw)) return { text: undefined, half: '' }
  const half = HALF_ESCAPE.exec(raw.slice(-LONGEST_HALF))?.[0] ?? ''
  const text = raw
    .slice(0, raw.length - half.length)
    .replaceAll(ESCAPE, (_, character?: string, code?: string) => {
      if (code) return String.fromCharCode(Number.parseInt(code, 16))
      return character === '/' ? '/' : ''
    })
    .replaceAll(WHITE_SPACE, '')
  return { text: text.includes('\\') ? undefined : text, half }
}
