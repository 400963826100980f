import type { Codec } from './codec.ts'
import { codecs, HEAD_BYTES, recognise } from './index.ts'

/**
 * The format of a file that came in chunks, which may be shorter than what it takes to recognise one; undefined when it is
 * not accepted: no image, or HEIC where the operator has switched that off.
 */
export function acceptedFormat(chunks: readonly Buffer[], heic: 'on' | 'off'): Codec | undefined {
  const [first = Buffer.alloc(0)] = chunks
  const codec = recognise(first.length >= HEAD_BYTES ? first : Buffer.concat(chunks).subarray(0, HEAD_BYTES))
  return codec === codecs.heic && heic === 'off' ? undefined : codec
}
