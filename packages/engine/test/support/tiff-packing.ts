import { packBits } from '@pixelmill/codecs/test/support/tiff'

/** TIFF compressions in their simplest form, which do not shrink anything. */

/** Each byte as a code of 9 bits; the table is cleared before it can grow. */
export function lzwOf(data: Uint8Array): Uint8Array {
  const codes = [256]
  for (const [index, byte] of data.entries()) {
    if (index > 0 && index % 200 === 0) codes.push(256)
    codes.push(byte)
  }
  return packBits([...codes, 257], 9)
}

/** Literal runs only. */
export function packBitsOf(data: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = []
  for (let at = 0; at < data.length; at += 128) {
    const run = data.subarray(at, at + 128)
    parts.push(Uint8Array.of(run.length - 1), run)
  }
  return Buffer.concat(parts)
}

/** A byte with its bits in the other order. */
export function reverseBits(byte: number): number {
  return Number.parseInt([...byte.toString(2).padStart(8, '0')].reverse().join(''), 2)
}
