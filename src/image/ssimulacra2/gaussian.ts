import type { Size } from '../size.ts'

/** libjxl's recursive Gaussian with σ 1.5 has exactly these nine taps (from its equations 33 to 56). */
const [T0, T1, T2, T3, T4] = [
  0.2646211054881986, 0.2129285920104222, 0.10933537277746029, 0.03601111465836435, 0.009414367809653717,
] as const
const RADIUS = 4
const TAPS = 2 * RADIUS + 1

/**
 * What lies outside of a plane: 0, as in the reference; or, for a part of a picture, nothing, so that a mean is over what is inside.
 * With 0, structure at an edge looks less damaged: parts of 128 × 128 scored 2 to 4 points above their picture.
 */
export type Outside = 'zero' | 'nothing'

type Rows = readonly [Float32Array, Float32Array, Float32Array]

/**
 * Blurs up to three planes of one size at once, row by row, so that what is under way stays in the processor's cache.
 * @param load writes row `y` of each plane
 * @param use is given row `y` of each plane, blurred, in order
 */
export function blur(
  { width, height }: Size,
  planes: 2 | 3,
  outside: Outside,
  load: (y: number, rows: Rows) => void,
  use: (y: number, rows: Rows) => void,
): void {
  const padded = Array.from({ length: 3 }, () => new Float32Array(width + 2 * RADIUS))
  const loaded = padded.map((row) => row.subarray(RADIUS, RADIUS + width)) as unknown as Rows
  const made = padded.map(() => new Float32Array(width)) as unknown as Rows
  const rings = padded.map(() => Array.from({ length: TAPS }, () => new Float32Array(width)))
  const gains = outside === 'nothing' ? { across: gainsFor(width), down: gainsFor(height) } : undefined
  for (let y = -RADIUS; y < height; y++) {
    const below = y + RADIUS
    if (below < height) load(below, loaded)
    for (let plane = 0; plane < planes; plane++) {
      const ring = rings[plane] as Float32Array[]
      const row = ring[below % TAPS] as Float32Array
      if (below < height) blurRow(padded[plane] as Float32Array, row)
      else row.fill(0)
      if (y < 0) continue
      blurColumns(ring, below, made[plane] as Float32Array)
      if (gains) amplify(made[plane] as Float32Array, gains.across, gains.down[y] as number)
    }
    if (y >= 0) use(y, made)
  }
}

function blurRow(from: Float32Array, to: Float32Array): void {
  let [a, b, c, d, e, f, g, h] = from as unknown as [number, number, number, number, number, number, number, number]
  for (let x = 0; x < to.length; x++) {
    const i = from[x + 8] as number
    to[x] = T0 * e + T1 * (d + f) + T2 * (c + g) + T3 * (b + h) + T4 * (a + i)
    a = b
    b = c
    c = d
    d = e
    e = f
    f = g
    g = h
    h = i
  }
}

/** @param newest the number of the lowest of nine rows; each lies at its number modulo nine */
function blurColumns(ring: readonly Float32Array[], newest: number, to: Float32Array): void {
  const row = (above: number) => ring[(newest + TAPS - above) % TAPS] as Float32Array
  const [a, b, c, d, e, f, g, h, i] = [row(8), row(7), row(6), row(5), row(4), row(3), row(2), row(1), row(0)]
  for (let x = 0; x < to.length; x++) {
    to[x] =
      T0 * (e[x] as number) +
      T1 * ((d[x] as number) + (f[x] as number)) +
      T2 * ((c[x] as number) + (g[x] as number)) +
      T3 * ((b[x] as number) + (h[x] as number)) +
      T4 * ((a[x] as number) + (i[x] as number))
  }
}

const TAP_SUMS = [T4, T3, T2, T1, T0, T1, T2, T3, T4]

/** By place: 1 divided by the sum of the taps that are inside. */
function gainsFor(length: number): Float32Array {
  return Float32Array.from({ length }, (_, place) => {
    const inside = TAP_SUMS.filter((_, tap) => place + tap >= RADIUS && place + tap < length + RADIUS)
    return inside.length === TAPS ? 1 : 1 / inside.reduce((sum, tap) => sum + tap, 0)
  })
}

function amplify(row: Float32Array, across: Float32Array, down: number): void {
  for (let x = 0; x < row.length; x++) row[x] = (row[x] as number) * (across[x] as number) * down
}
