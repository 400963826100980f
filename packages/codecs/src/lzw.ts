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
  let bits = 0
  let heldBits = 0
  let from = 0
  let to = 0
  while (to < length) {
    while (heldBits < width) {
      if (from === data.length) return out.subarray(0, to)
      const byte = data[from++] as number
      bits = isHighestFirst ? ((bits << 8) | byte) & 0xff_ff_ff : bits | (byte << heldBits)
      heldBits += 8
    }
    heldBits -= width
    const code = (isHighestFirst ? bits >> heldBits : bits) & ((1 << width) - 1)
    if (!isHighestFirst) bits >>>= width
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
