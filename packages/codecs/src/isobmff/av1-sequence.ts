/** Properties of all pictures, from AV1's sequence header. */
export interface Av1Sequence {
  readonly monochrome: boolean
  /** Black is 0 and white the largest number; otherwise 16 and 235 in 8 bits. */
  readonly fullRange: boolean
}

const SEQUENCE_HEADER = 1
const UNSPECIFIED = 2
/** H.273: the code points by which AV1 identifies sRGB, which implies full range. */
const BT709 = 1
const SRGB = 13
const IDENTITY = 0

/** Reads the first sequence header (AV1 bitstream specification, 5.5) among the units; undefined where there is none, or it is cut. */
export function av1SequenceIn(units: Buffer): Av1Sequence | undefined {
  for (let at = 0; at + 1 < units.length; ) {
    const header = units.readUInt8(at)
    const hasExtension = (header & 4) !== 0
    const hasSize = (header & 2) !== 0
    const start = at + (hasExtension ? 2 : 1)
    const { value: size, next } = hasSize ? leb128(units, start) : { value: units.length - start, next: start }
    if (((header >> 3) & 15) === SEQUENCE_HEADER) return sequenceHeader(units.subarray(next, next + size))
    at = next + size
  }
  return undefined
}

/** 4.10.5: seven bits a byte, the lowest first. */
function leb128(bytes: Buffer, start: number): { readonly value: number; readonly next: number } {
  let value = 0
  let next = start
  for (let index = 0; index < 8 && next < bytes.length; index++) {
    const byte = bytes.readUInt8(next++)
    value += (byte & 0x7f) * 2 ** (7 * index)
    if (byte < 0x80) break
  }
  return { value, next }
}

function sequenceHeader(bytes: Buffer): Av1Sequence | undefined {
  let at = 0
  const bits = (count: number): number => {
    let value = 0
    for (const end = at + count; at < end; at++) value = value * 2 + (((bytes[at >> 3] ?? 0) >> (7 - (at & 7))) & 1)
    return value
  }
  const flag = () => bits(1) === 1
  const profile = bits(3)
  flag()
  const isReduced = flag()
  if (isReduced) bits(5)
  else operatingPoints(bits)
  const widthBits = bits(4) + 1
  const heightBits = bits(4) + 1
  bits(widthBits + heightBits)
  if (!isReduced && flag()) bits(7)
  bits(3)
  if (!isReduced) codingTools(bits)
  bits(3)
  const isHigh = flag()
  if (profile === 2 && isHigh) bits(1)
  const monochrome = profile !== 1 && flag()
  const [primaries, transfer, matrix] = flag() ? [bits(8), bits(8), bits(8)] : [UNSPECIFIED, UNSPECIFIED, UNSPECIFIED]
  const isSrgb = !monochrome && primaries === BT709 && transfer === SRGB && matrix === IDENTITY
  const fullRange = isSrgb || flag()
  return at <= bytes.length * 8 ? { monochrome, fullRange } : undefined
}

/** From the timing info to the levels of all operating points (5.5.1, 5.5.3–5.5.5). */
function operatingPoints(bits: (count: number) => number): void {
  let delayBits = 0
  if (bits(1)) {
    bits(64)
    if (bits(1)) skipUvlc(bits)
    if (bits(1)) {
      delayBits = bits(5) + 1
      bits(32 + 10)
    }
  }
  const hasDelay = bits(1)
  for (let left = bits(5) + 1; left > 0; left--) {
    bits(12)
    if (bits(5) > 7) bits(1)
    if (delayBits > 0 && bits(1)) bits(2 * delayBits + 1)
    if (hasDelay && bits(1)) bits(4)
  }
}

/** 4.10.3: as many bits as there were zeros. */
function skipUvlc(bits: (count: number) => number): void {
  let zeros = 0
  while (zeros < 32 && bits(1) === 0) zeros++
  if (zeros < 32) bits(zeros)
}

/** From enable_interintra_compound to order_hint_bits. */
function codingTools(bits: (count: number) => number): void {
  bits(4)
  const hasOrder = bits(1)
  if (hasOrder) bits(2)
  const screenContent = bits(1) ? 2 : bits(1)
  if (screenContent > 0 && !bits(1)) bits(1)
  if (hasOrder) bits(3)
}
