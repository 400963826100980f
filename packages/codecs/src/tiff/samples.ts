import { formats, type Layout, photometrics } from './layout.ts'

/** Sample `index` of a row. */
export type ReadSample = (row: DataView, index: number) => number

const FULL = 65_535
const clamp = (value: number): number => (value > 0 ? Math.min(1, value) : 0)

/** Reads samples from a row as 0–65,535; floats are scaled by `white`. Palette indices are unchanged. */
export function sampleReader({ bits, format, littleEndian, photometric }: Layout, white: number): ReadSample {
  if (photometric === photometrics.palette) {
    const full = 2 ** bits - 1
    const read = bits === 16 || bits === 8 ? wholeBytes(bits / 8, littleEndian) : packedBits(bits)
    return (row, index) => Math.round((read(row, index) * full) / FULL)
  }
  if (format === formats.float) {
    const read = floatReader(bits, littleEndian)
    return (row, index) => Math.round(clamp(read(row, index) / white) * FULL)
  }
  const read = bits % 8 === 0 ? wholeBytes(bits / 8, littleEndian) : packedBits(bits)
  return format === formats.signed && isCountedFromBlack(bits, photometric) ? (row, index) => read(row, index) ^ HALF : read
}

const HALF = 32_768

/**
 * Whether the lowest signed number is black: from 16 bits on, as ImageMagick reads them. Files of 8 bits hold unsigned numbers, whatever
 * they say, and libtiff reads them so; the a* and b* of CIELAB are signed by themselves.
 */
const isCountedFromBlack = (bits: number, photometric: Layout['photometric']): boolean =>
  bits > 8 && photometric !== photometrics.cieLab && photometric !== photometrics.iccLab

/** IEEE 754 numbers of 16, 32 and 64 bits. */
export function floatReader(bits: number, littleEndian: boolean): ReadSample {
  if (bits === 64) return (row, index) => row.getFloat64(index * 8, littleEndian)
  return bits === 32
    ? (row, index) => row.getFloat32(index * 4, littleEndian)
    : (row, index) => row.getFloat16(index * 2, littleEndian)
}

/** The two highest bytes of a sample, which is the most that any output format holds. */
function wholeBytes(bytes: number, littleEndian: boolean): ReadSample {
  if (bytes === 1) return (row, index) => row.getUint8(index) * 257
  const highest = littleEndian ? bytes - 2 : 0
  return (row, index) => row.getUint16(index * bytes + highest, littleEndian)
}

/** Samples that end within a byte, the highest bit first whatever the byte order. */
function packedBits(bits: number): ReadSample {
  const scale = FULL / (2 ** bits - 1)
  return (row, index) => {
    let value = 0
    for (let bit = index * bits, left = bits; left > 0; ) {
      const count = Math.min(left, 8 - (bit & 7))
      const byte = row.getUint8(bit >> 3) >> (8 - (bit & 7) - count)
      value = value * 2 ** count + (byte & ((1 << count) - 1))
      bit += count
      left -= count
    }
    return Math.round(value * scale)
  }
}
