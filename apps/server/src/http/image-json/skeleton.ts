import { limits } from '@pixelmill/codecs/contract/limits'
import type { DamagedImage, InlineImage } from '@pixelmill/engine/crops/inline-image'
import { ApiError } from '../../contract/api-error.ts'

const START_BYTES = 4 * 1024

const MOST_BYTES = `${limits.ai.skeletonBytes} bytes beside its images`

/** For a body that exceeds any real request in this respect. */
export function tooMuch(most: string): ApiError {
  const message = `Must have at most ${most}.`
  return new ApiError('invalid_params', { message: `The body: ${message}`, issues: [{ path: [], code: 'too_big', message }] })
}

/** A JSON text that is written byte by byte: a body without its images. */
export class Skeleton {
  #bytes = Buffer.allocUnsafe(START_BYTES)
  #length = 0

  get length(): number {
    return this.#length
  }

  /** @throws ApiError invalid_params when it is longer than that of any real request */
  push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#grow()
    this.#bytes[this.#length++] = byte
  }

  write(ascii: string): void {
    for (const character of ascii) this.push(character.charCodeAt(0))
  }

  /** Drops what was written after the first `length` bytes. */
  cutTo(length: number): void {
    this.#length = length
  }

  /** The last bytes that were written, fewer where there are not so many; valid until the next write. */
  last(length: number): Buffer {
    return this.#bytes.subarray(Math.max(0, this.#length - length), this.#length)
  }

  /** Whether this was written last, in upper or lower case. */
  endsWith(lowerCaseAscii: string): boolean {
    for (let back = 1; back <= lowerCaseAscii.length; back++) {
      const byte = this.#bytes[this.#length - back] ?? 0
      // The bit that makes a letter lower case. Other characters that it maps to these are refused when the whole is parsed.
      if (this.#length < back || (byte | 0x20) !== (lowerCaseAscii.charCodeAt(lowerCaseAscii.length - back) | 0x20)) return false
    }
    return true
  }

  #grow(): void {
    if (this.#length >= limits.ai.skeletonBytes) throw tooMuch(MOST_BYTES)
    this.#bytes = Buffer.concat([this.#bytes, Buffer.allocUnsafe(this.#length)])
  }
}

/** Prefixes of the strings in a skeleton, so that no text of a caller can be taken for the place of an image. */
export const tags = { text: 't', image: 'i', long: 'l' } as const

/** Replaces a string that was too long to keep: longer than any field allows. */
const LONG = 'x'.repeat(limits.ai.textBytes)

/** Puts the images into their places, and removes the prefixes. The depth of a skeleton is limited, so recursion is safe. */
export function restore(value: unknown, images: readonly (InlineImage | DamagedImage)[]): unknown {
  if (typeof value === 'string') return original(value, images)
  if (typeof value !== 'object' || value === null) return value
  const object = value as Record<string, unknown>
  // Assigns own properties: JSON.parse has made one of "__proto__" too.
  for (const name of Object.keys(object)) object[name] = restore(object[name], images)
  return object
}

function original(taggedText: string, images: readonly (InlineImage | DamagedImage)[]): unknown {
  const rest = taggedText.slice(1)
  if (taggedText.startsWith(tags.text)) return rest
  return taggedText.startsWith(tags.long) ? LONG : images[Number(rest)]
}
