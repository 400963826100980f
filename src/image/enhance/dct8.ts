/** One of 8 samples to a side, rows one after the other. */
export const SIDE = 8

/** cos(k · π / 16) / 2, as the orthonormal transform of eight samples has them; the last is that of its mean, 1 / √8. */
const [C1, C2, C3, C5, C6, C7] = [1, 2, 3, 5, 6, 7].map((k) => Math.cos((k * Math.PI) / 16) / 2) as [
  number,
  number,
  number,
  number,
  number,
  number,
]
const C4 = Math.SQRT1_2 / 2

/** The orthonormal DCT-II of eight samples that are `step` apart, in place: sums and differences first, which halves the products. */
export function transform8(block: Float64Array, at: number, step: number, out: Float64Array, to: number): void {
  const i1 = at + step
  const i2 = at + 2 * step
  const i3 = at + 3 * step
  const i4 = at + 4 * step
  const i5 = at + 5 * step
  const i6 = at + 6 * step
  const i7 = at + 7 * step
  const x0 = block[at] as number
  const x1 = block[i1] as number
  const x2 = block[i2] as number
  const x3 = block[i3] as number
  const x4 = block[i4] as number
  const x5 = block[i5] as number
  const x6 = block[i6] as number
  const x7 = block[i7] as number
  const d0 = x0 - x7
  const d1 = x1 - x6
  const d2 = x2 - x5
  const d3 = x3 - x4
  const outer = x0 + x7 + (x3 + x4)
  const inner = x1 + x6 + (x2 + x5)
  const e = x0 + x7 - (x3 + x4)
  const f = x1 + x6 - (x2 + x5)
  out[to] = (outer + inner) * C4
  out[to + 4 * step] = (outer - inner) * C4
  out[to + 2 * step] = C2 * e + C6 * f
  out[to + 6 * step] = C6 * e - C2 * f
  out[to + step] = C1 * d0 + C3 * d1 + C5 * d2 + C7 * d3
  out[to + 3 * step] = C3 * d0 - C7 * d1 - C1 * d2 - C5 * d3
  out[to + 5 * step] = C5 * d0 - C1 * d1 + C7 * d2 + C3 * d3
  out[to + 7 * step] = C7 * d0 - C5 * d1 + C3 * d2 - C1 * d3
}

/** The inverse of `transform8`. */
export function restore8(block: Float64Array, at: number, step: number): void {
  const i1 = at + step
  const i2 = at + 2 * step
  const i3 = at + 3 * step
  const i4 = at + 4 * step
  const i5 = at + 5 * step
  const i6 = at + 6 * step
  const i7 = at + 7 * step
  const y1 = block[i1] as number
  const y2 = block[i2] as number
  const y3 = block[i3] as number
  const y5 = block[i5] as number
  const y6 = block[i6] as number
  const y7 = block[i7] as number
  const p = ((block[at] as number) + (block[i4] as number)) * C4
  const q = ((block[at] as number) - (block[i4] as number)) * C4
  const r = C2 * y2 + C6 * y6
  const t = C6 * y2 - C2 * y6
  const o0 = C1 * y1 + C3 * y3 + C5 * y5 + C7 * y7
  const o1 = C3 * y1 - C7 * y3 - C1 * y5 - C5 * y7
  const o2 = C5 * y1 - C1 * y3 + C7 * y5 + C3 * y7
  const o3 = C7 * y1 - C5 * y3 + C3 * y5 - C1 * y7
  block[at] = p + r + o0
  block[i7] = p + r - o0
  block[i1] = q + t + o1
  block[i6] = q + t - o1
  block[i2] = q - t + o2
  block[i5] = q - t - o2
  block[i3] = p - r + o3
  block[i4] = p - r - o3
}
