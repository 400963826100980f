import { codestreamOf } from './boxes.ts'

/** ISO/IEC 18181-1: the header of a codestream is far shorter, unless its channels have long names. */
const MOST_BITS = 8 * 4_096
const SIGNATURE_BYTES = 2

/** The code point of the transfer function (H.273, table 3) that the codestream names; undefined where it names none. */
export function jxlTransfer(file: Buffer): number | undefined {
  const codestream = codestreamOf(file)
  return codestream && transferIn(bitsOf(codestream.subarray(SIGNATURE_BYTES)))
}

interface Bits {
  flag(): boolean
  number(bits: number): number
  /** One of four numbers, which two bits choose: so many bits, and what is added to them. */
  choice(...rows: readonly (readonly [bits: number, added: number])[]): number
}

/** Bits of each byte, the lowest first. @throws RangeError beyond the end */
function bitsOf(bytes: Buffer): Bits {
  let at = 0
  const number = (bits: number): number => {
    let value = 0
    for (let bit = 0; bit < bits; bit++, at++) {
      if (at >= MOST_BITS) throw new RangeError('a header that is too long')
      value += ((bytes.readUInt8(at >> 3) >> (at & 7)) & 1) * 2 ** bit
    }
    return value
  }
  return {
    number,
    flag: () => number(1) === 1,
    choice(...rows) {
      const [bits, offset] = rows[number(2)] ?? [0, 0]
      return number(bits) + offset
    },
  }
}

const enumeration = ({ choice }: Bits): number => choice([0, 0], [0, 1], [4, 2], [6, 18])

/** Annex D: size, what follows for animations and previews, depth, channels, colours. */
function transferIn(bits: Bits): number | undefined {
  size(bits)
  if (bits.flag()) return undefined
  if (bits.flag()) extraFields(bits)
  depth(bits)
  bits.flag()
  const channels = bits.choice([0, 0], [0, 1], [4, 2], [12, 1])
  for (let channel = 0; channel < channels; channel++) extraChannel(bits)
  bits.flag()
  return colours(bits)
}

function size(bits: Bits): void {
  const isSmall = bits.flag()
  const side = () => (isSmall ? bits.number(5) : bits.choice([9, 1], [13, 1], [18, 1], [30, 1]))
  side()
  if (bits.number(3) === 0) side()
}

function extraFields(bits: Bits): void {
  bits.number(3)
  if (bits.flag()) size(bits)
  if (bits.flag()) preview(bits)
  if (!bits.flag()) return
  bits.choice([0, 100], [0, 1_000], [10, 1], [30, 1])
  bits.choice([0, 1], [0, 1_001], [8, 1], [10, 1])
  bits.choice([0, 0], [3, 0], [16, 0], [32, 0])
  bits.flag()
}

function preview(bits: Bits): void {
  const isSmall = bits.flag()
  const side = () =>
    isSmall ? bits.choice([0, 16], [0, 32], [5, 1], [9, 33]) : bits.choice([6, 1], [8, 65], [10, 321], [12, 1_345])
  side()
  if (bits.number(3) === 0) side()
}

function depth(bits: Bits): void {
  const isFloat = bits.flag()
  bits.choice([0, isFloat ? 32 : 8], [0, isFloat ? 16 : 10], [0, isFloat ? 24 : 12], [6, 1])
  if (isFloat) bits.number(4)
}

const ALPHA = 0
const SPOT = 2
const FILTER = 5

function extraChannel(bits: Bits): void {
  if (bits.flag()) return
  const type = enumeration(bits)
  depth(bits)
  bits.choice([0, 0], [0, 3], [0, 4], [3, 1])
  bits.number(8 * bits.choice([0, 0], [4, 0], [5, 16], [10, 48]))
  if (type === ALPHA) bits.flag()
  if (type === SPOT) bits.number(64)
  if (type === FILTER) bits.choice([0, 1], [2, 0], [4, 3], [8, 19])
}

const GREY = 1
const XYB = 2
const CUSTOM = 2

function colours(bits: Bits): number | undefined {
  const isDefault = bits.flag()
  const hasProfile = bits.flag()
  if (isDefault || hasProfile) return undefined
  const space = enumeration(bits)
  const corner = () => {
    for (let number = 0; number < 2; number++) bits.choice([19, 0], [19, 524_288], [20, 1_048_576], [21, 2_097_152])
  }
  if (space !== XYB && enumeration(bits) === CUSTOM) corner()
  if (space !== XYB && space !== GREY && enumeration(bits) === CUSTOM) for (let point = 0; point < 3; point++) corner()
  const hasGamma = space !== XYB && bits.flag()
  return space === XYB || hasGamma ? undefined : enumeration(bits)
}
