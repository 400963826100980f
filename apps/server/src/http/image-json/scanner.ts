import { limits } from '@pixelmill/codecs/contract/limits'
import { formatList } from '@pixelmill/codecs/image-formats'
import { DamagedImage, type InlineImage, isDeclarable } from '@pixelmill/engine/crops/inline-image'
import { parseJsonBytes } from '../read-body.ts'
import { BROKEN, type DecodingSpace, ImageDecoder, LONGEST_HEAD_BYTES, mediaTypeOf, unescapeBase64 } from './base64-image.ts'
import { restore, Skeleton, tags, tooMuch } from './skeleton.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const BRACE = 0x7b
const BRACE_END = 0x7d
const BRACKET = 0x5b
const BRACKET_END = 0x5d
const ESCAPED_COMMA = '\\u002c'

const OTHER_TYPE = `Must be declared as a ${formatList('or')} image, or as none in particular.`

const DEEPEST = `${limits.ai.jsonDepth} lists and objects inside each other`
const MOST_VALUES = `${limits.ai.jsonValues} values`

/** A parsed JSON body, and how many bytes its images have. */
export interface ImageJson {
  readonly value: unknown
  readonly imageBytes: number
}

/**
 * Extracts the images from a JSON text while it arrives. The rest, the skeleton, is small; parsing it at the end shows whether
 * the whole was valid JSON. A string that begins as a Base64 data URI becomes an image, whatever its field; the schema of the
 * body says where images may be.
 */
export class ImageJsonScanner {
  readonly #space: DecodingSpace
  readonly #skeleton = new Skeleton()
  readonly #images: (InlineImage | DamagedImage)[] = []
  /** The brackets that are open. */
  readonly #within: number[] = []
  #state: 'structure' | 'name' | 'text' | 'image' | 'past' = 'structure'
  #nameNext = false
  #values = 1
  /** Whether the next byte of a string follows a backslash. */
  #isEscaped = false
  /** Where the string begins in the skeleton; until its first comma it may be an image. */
  #start = 0
  #mayBeImage = false
  #decoder: ImageDecoder | undefined
  /** The beginning of an escape sequence at the end of a chunk. */
  #halfEscape = ''

  constructor(space: DecodingSpace) {
    this.#space = space
  }

  /** @throws ApiError file_too_large, invalid_params */
  add(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) at = this.#read(chunk, at)
  }

  /** @throws ApiError invalid_params when it was not JSON */
  end(): ImageJson {
    const value = restore(parseJsonBytes(this.#skeleton.last(this.#skeleton.length)), this.#images)
    const imageBytes = this.#images.reduce((total, image) => total + (image instanceof DamagedImage ? 0 : image.bytes.length), 0)
    return { value, imageBytes }
  }

  /** Reads up to the next change of state; returns where that is. */
  #read(chunk: Buffer, at: number): number {
    if (this.#state === 'structure') return this.#structure(chunk, at)
    if (this.#state === 'name') return this.#name(chunk, at)
    if (this.#state === 'text') return this.#text(chunk, at)
    if (this.#state === 'image') return this.#image(chunk, at)
    return this.#past(chunk, at)
  }

  #structure(chunk: Buffer, start: number): number {
    let at = start
    while (at < chunk.length) {
      const byte = chunk[at++] as number
      this.#skeleton.push(byte)
      if (byte === QUOTE) {
        this.#open()
        break
      }
      if (byte === COMMA) this.#goOn()
      else if (byte === COLON) this.#nameNext = false
      else if (byte === BRACE || byte === BRACKET) this.#enter(byte)
      else if (byte === BRACE_END || byte === BRACKET_END) this.#within.pop()
    }
    return at
  }

  /** Limits the number of values: each could be invalid and have an issue of its own in the answer. */
  #goOn(): void {
    if (++this.#values > limits.ai.jsonValues) throw tooMuch(MOST_VALUES)
    this.#nameNext = this.#within.at(-1) === BRACE
  }

  #enter(bracket: number): void {
    if (this.#within.push(bracket) > limits.ai.jsonDepth) throw tooMuch(DEEPEST)
    this.#nameNext = bracket === BRACE
  }

  #open(): void {
    this.#state = this.#nameNext ? 'name' : 'text'
    if (this.#nameNext) return
    this.#start = this.#skeleton.length
    this.#skeleton.write(tags.text)
    this.#mayBeImage = true
  }

  #close(): void {
    this.#skeleton.push(QUOTE)
    this.#state = 'structure'
  }

  /** Whether this byte is the quote that ends a string. */
  #ends(byte: number): boolean {
    const isPlain = !this.#isEscaped
    this.#isEscaped = isPlain && byte === BACKSLASH
    return isPlain && byte === QUOTE
  }

  #name(chunk: Buffer, start: number): number {
    let at = start
    while (at < chunk.length) {
      const byte = chunk[at++] as number
      if (this.#ends(byte)) {
        this.#close()
        break
      }
      this.#skeleton.push(byte)
    }
    return at
  }

  #text(chunk: Buffer, start: number): number {
    let at = start
    while (at < chunk.length && this.#state === 'text') {
      const byte = chunk[at++] as number
      if (this.#ends(byte)) {
        this.#close()
        break
      }
      this.#skeleton.push(byte)
      if (this.#mayBeImage) this.#lookForHead(byte)
      if (this.#skeleton.length - this.#start > limits.ai.textBytes) this.#replace(tags.long)
    }
    return at
  }

  #lookForHead(byte: number): void {
    const length = this.#skeleton.length - this.#start - tags.text.length
    if (byte === COMMA || this.#skeleton.endsWith(ESCAPED_COMMA)) {
      this.#mayBeImage = false
      const mediaType = mediaTypeOf(this.#skeleton.last(length))
      if (mediaType !== undefined) this.#beginImage(mediaType)
    } else if (length > LONGEST_HEAD_BYTES) this.#mayBeImage = false
  }

  #beginImage(mediaType: string): void {
    this.#replace(tags.image + this.#images.length)
    this.#images.push(new DamagedImage(isDeclarable(mediaType) ? BROKEN : OTHER_TYPE))
    if (!isDeclarable(mediaType)) return
    this.#decoder = new ImageDecoder(mediaType, this.#space)
    this.#state = 'image'
  }

  /** Replaces the current string in the skeleton; the rest of it is skipped. */
  #replace(tag: string): void {
    this.#skeleton.cutTo(this.#start)
    this.#skeleton.write(tag)
    this.#state = 'past'
  }

  #image(chunk: Buffer, at: number): number {
    const quote = chunk.indexOf(QUOTE, at)
    const end = quote < 0 ? chunk.length : quote
    const raw = this.#halfEscape + chunk.toString('latin1', at, end)
    const { text, half } = unescapeBase64(raw)
    if (text === undefined || !this.#decoder?.add(text) || (quote >= 0 && half !== '')) {
      // Reads it again, for its end: a quote in it may be escaped.
      this.#isEscaped = this.#halfEscape === '\\'
      this.#halfEscape = ''
      this.#state = 'past'
      return at
    }
    this.#halfEscape = half
    if (quote < 0) return end
    this.#images[this.#images.length - 1] = this.#decoder.end()
    this.#close()
    return quote + 1
  }

  /** Up to 64 MB may be skipped here: no function is called for a byte. */
  #past(chunk: Buffer, start: number): number {
    let at = start
    let isEscaped = this.#isEscaped
    for (; at < chunk.length; at++) {
      const byte = chunk[at]
      if (isEscaped) isEscaped = false
      else if (byte === BACKSLASH) isEscaped = true
      else if (byte === QUOTE) break
    }
    this.#isEscaped = isEscaped
    if (at === chunk.length) return at
    this.#close()
    return at + 1
  }
}
