/** How a format uses LZW. */
export interface LzwKind {
  /** Bits of the largest byte that is written as itself; the next two codes clear the dictionary, and end the data. */
  readonly literalBits: number
  /** Codes are packed from the highest bit of a byte on, as in TIFF, instead of from the lowest, as in GIF. */
  readonly isHighestFirst: boolean
  /** Codes become longer one code before they have to, as in TIFF. */
  readonly growsEarly: boolean
}

export const MAX_CODES = 4_096
export const MAX_WIDTH = 12

/**
 * Expands LZW to at most `length` bytes; fewer where the data end before.
 * @throws RangeError for a code that is not defined yet
 */
export function expandLzw(data: Uint8Array, { literalBits, isHighestFirst, growsEarly }: LzwKind, length: number): Uint8Array {
  const clear = 1 << literalBits
  const end = clear + 1
  const early = growsEarly ? 1 : 0
  const out = new Uint8Array(length)
  // A code's string is already in the output: its start and length.
  const starts = new Uint32Array(MAX_CODES)
  const lengths = new Uint32Array(MAX_CODES)
  let next = end + 1
  let width = literalBits + 1
  let before = 0
  let beforeLength = 0
  let bit = 0
  let to = 0
  const mostBits = data.length * 8
  while (to < length && bit + width <= mostBits) {
    const three = threeBytes(data, bit >> 3, isHighestFirst)
    const shift = bit & 7
    const code = (three >> (isHighestFirst ? 24 - shift - width : shift)) & ((1 << width) - 1)
    bit += width
    if (code === end) break
    if (code === clear) {
      next = end + 1
      width = literalBits + 1
      beforeLength = 0
      continue
    }
    // The code that is about to be defined is what came before, and then its own first byte.
    if (code > next || (code === next && beforeLength === 0)) throw new RangeError('an LZW code is not defined yet')
    const begin = to
    if (code < clear) out[to++] = code
    else {
      const isDefined = code < next
      const stop = Math.min(length, to + (isDefined ? (lengths[code] as number) : beforeLength + 1))
      for (let at = isDefined ? (starts[code] as number) : before; to < stop; at++) out[to++] = out[at] as number
    }
    if (beforeLength > 0 && next < MAX_CODES) {
      starts[next] = before
      lengths[next] = beforeLength + 1
      next++
      if (next + early === 1 << width && width < MAX_WIDTH) width++
    }
    before = begin
    beforeLength = to - begin
  }
  return out.subarray(0, to)
}

/** The bytes in which a code lies, the first one highest or lowest; 0 beyond the end. */
function threeBytes(data: Uint8Array, at: number, isHighestFirst: boolean): number {
  const first = data[at] as number
  const second = at + 1 < data.length ? (data[at + 1] as number) : 0
  const third = at + 2 < data.length ? (data[at + 2] as number) : 0
  return isHighestFirst ? (first << 16) | (second << 8) | third : first | (second << 8) | (third << 16)
}
