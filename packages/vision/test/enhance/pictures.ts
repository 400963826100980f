import type { Bitmap } from '@pixelmill/codecs/reader'
import type { Plane } from '../../src/enhance/planes.ts'

/** Numbers of a normal distribution of deviation 1, the same in every run: sums of twelve of Marsaglia's xorshift. */
export function normal(seed = 1): () => number {
  let state = Math.imul(seed, 0x9e3779b9) | 1
  const uniform = () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
  return () => {
    let sum = -6
    for (let i = 0; i < 12; i++) sum += uniform()
    return sum
  }
}

export const draw = (width: number, height: number, at: (x: number, y: number) => number): Plane =>
  Float32Array.from({ length: width * height }, (_, i) => at(i % width, Math.floor(i / width)))

/** RGB, perhaps with alpha. */
export function bitmap(
  width: number,
  height: number,
  channels: 3 | 4,
  at: (x: number, y: number, channel: number) => number,
): Bitmap {
  const data = Uint8ClampedArray.from({ length: width * height * channels }, (_, i) => {
    const pixel = Math.floor(i / channels)
    return at(pixel % width, Math.floor(pixel / width), i % channels)
  })
  return { width, height, channels, data: new Uint8Array(data.buffer) }
}

/** Root of the mean square of what two planes differ by. */
export const distance = (a: Plane, b: Plane): number =>
  Math.sqrt(a.reduce((sum, value, i) => sum + (value - (b[i] ?? Number.NaN)) ** 2, 0) / a.length)

/** Whether all samples of two planes are equal but for rounding. */
export const alike = (a: Plane, b: Plane, tolerance = 1e-3): boolean =>
  a.length === b.length && a.every((value, i) => Math.abs(value - (b[i] ?? Number.NaN)) <= tolerance)
