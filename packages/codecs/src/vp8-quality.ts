/** The boolean decoder of VP8 (RFC 6386, section 7), for flags and numbers whose bits are as likely 0 as 1. */
class BitReader {
  readonly #bytes: Buffer
  #at: number
  #value: number
  #range = 255
  #bits = 0

  constructor(bytes: Buffer, at: number) {
    this.#bytes = bytes
    this.#value = (this.#next(at) << 8) | this.#next(at + 1)
    this.#at = at + 2
  }

  flag(): boolean {
    const split = 1 + ((this.#range - 1) >> 1)
    const set = this.#value >= split << 8
    if (set) this.#value -= split << 8
    this.#range = set ? this.#range - split : split
    while (this.#range < 128) this.#shift()
    return set
  }

  number(bits: number): number {
    let value = 0
    for (let bit = 0; bit < bits; bit++) value = value * 2 + (this.flag() ? 1 : 0)
    return value
  }

  /** A signed number that is present if a flag is set. */
  optional(bits: number): number | undefined {
    if (!this.flag()) return undefined
    const magnitude = this.number(bits)
    return this.flag() ? -magnitude : magnitude
  }

  #next = (at: number): number => this.#bytes[at] ?? 0

  #shift(): void {
    this.#value *= 2
    this.#range *= 2
    if (++this.#bits < 8) return
    this.#bits = 0
    this.#value |= this.#next(this.#at++)
  }
}

const FRAME_TAG_BYTES = 3
const KEY_FRAME_BYTES = 7
const SEGMENTS = 4

/**
 * How coarsely a VP8 key frame is quantised: its index into the quantiser tables, 0–127, the mean of its segments'
 * (RFC 6386, 9.3, 9.6 and 19.2).
 */
export function coarsenessOfVp8(frame: Buffer): number {
  const bits = new BitReader(frame, FRAME_TAG_BYTES + KEY_FRAME_BYTES)
  // Colour space and clamping.
  bits.number(2)
  const segments = bits.flag() ? readSegments(bits) : undefined
  // Filter type, level and sharpness.
  bits.number(1 + 6 + 3)
  // Adjustments of the loop filter: four for reference frames, four for prediction modes.
  if (bits.flag() && bits.flag()) for (let delta = 0; delta < 8; delta++) bits.optional(6)
  // How many partitions there are.
  bits.number(2)
  const base = bits.number(7)
  if (!segments) return base
  const mean = segments.quantisers.reduce((sum, value) => sum + value, 0) / SEGMENTS
  return segments.absolute ? mean : base + mean
}

function readSegments(bits: BitReader): { readonly absolute: boolean; readonly quantisers: readonly number[] } | undefined {
  const updatesMap = bits.flag()
  const updatesData = bits.flag()
  let segments: ReturnType<typeof readSegments>
  if (updatesData) {
    const absolute = bits.flag()
    segments = { absolute, quantisers: Array.from({ length: SEGMENTS }, () => bits.optional(7) ?? 0) }
    for (let level = 0; level < SEGMENTS; level++) bits.optional(6)
  }
  // Three probabilities of the tree of segments.
  if (updatesMap) for (let node = 0; node < 3; node++) if (bits.flag()) bits.number(8)
  return segments
}

/** libwebp's quality, 0–100, for a quantiser index: the inverse of what its encoder does. */
export function webpQualityFor(coarseness: number): number {
  const linear = (1 - coarseness / 127) ** 3
  return 100 * (linear < 0.5 ? linear * 1.5 : (linear + 1) / 2)
}
