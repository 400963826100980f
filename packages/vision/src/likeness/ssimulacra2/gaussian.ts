import type { Size } from '@pixelmill/codecs/pixels/size'

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
  const { padded, loaded, made, rings, gains } = workspaceFor(width)
  // Above the first row.
  for (const ring of rings) for (const row of ring) row.fill(0)
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
      if (outside === 'nothing') amplify(made[plane] as Float32Array, gains, gainAt(y, height))
    }
    if (y >= 0) use(y, made)
  }
}

interface Workspace {
  /** With zeros on both sides of each row. */
  readonly padded: readonly Float32Array[]
  readonly loaded: Rows
  readonly made: Rows
  /** The last nine rows of each plane. */
  readonly rings: readonly (readonly Float32Array[])[]
  /** By column. */
  readonly gains: Float32Array
}

/** Kept from call to call: allocating the rows for each plane of each tile took a fifth of the time of a score. */
const workspaces = new Map<number, Workspace>()
/** The widths of one picture at its scales. */
const MOST_WORKSPACES = 8
/** A wider one has megabytes, which an idle renderer must not keep. */
const WIDEST_KEPT = 4096

function workspaceFor(width: number): Workspace {
  const cachedWorkspace = workspaces.get(width)
  if (cachedWorkspace) return cachedWorkspace
  if (workspaces.size === MOST_WORKSPACES) workspaces.clear()
  const paddedRows = Array.from({ length: 3 }, () => new Float32Array(width + 2 * RADIUS))
  const workspace = {
    padded: paddedRows,
    loaded: paddedRows.map((row) => row.subarray(RADIUS, RADIUS + width)) as unknown as Rows,
    made: paddedRows.map(() => new Float32Array(width)) as unknown as Rows,
    rings: paddedRows.map(() => Array.from({ length: TAPS }, () => new Float32Array(width))),
    gains: Float32Array.from({ length: width }, (_, x) => gainAt(x, width)),
  }
  if (width <= WIDEST_KEPT) workspaces.set(width, workspace)
  return workspace
}

function blurRow(from: Float32Array, to: Float32Array): void {
  const { length } = to
  for (let x = 0; x < length; x++) {
    to[x] =
      T0 * (from[x + 4] as number) +
      T1 * ((from[x + 3] as number) + (from[x + 5] as number)) +
      T2 * ((from[x + 2] as number) + (from[x + 6] as number)) +
      T3 * ((from[x + 1] as number) + (from[x + 7] as number)) +
      T4 * ((from[x] as number) + (from[x + 8] as number))
  }
}

/** @param newest the number of the lowest of nine rows; each lies at its number modulo nine */
function blurColumns(ring: readonly Float32Array[], newest: number, to: Float32Array): void {
  const row = (above: number) => ring[(newest + TAPS - above) % TAPS] as Float32Array
  const a = row(8)
  const b = row(7)
  const c = row(6)
  const d = row(5)
  const e = row(4)
  const f = row(3)
  const g = row(2)
  const h = row(1)
  const i = row(0)
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

/** 1 divided by the sum of the taps that are inside of a length. */
function gainAt(place: number, length: number): number {
  if (place >= RADIUS && place < length - RADIUS) return 1
  let sum = 0
  for (let tap = 0; tap < TAPS; tap++) if (place + tap >= RADIUS && place + tap < length + RADIUS) sum += TAP_SUMS[tap] as number
  return Math.fround(1 / sum)
}

/** Most rows are not near an edge, and of them only the first and last columns have taps outside. */
function amplify(row: Float32Array, across: Float32Array, down: number): void {
  const { length } = row
  const [start, end] = down === 1 && length > 2 * RADIUS ? [RADIUS, length - RADIUS] : [length, length]
  for (let x = 0; x < start; x++) row[x] = (row[x] as number) * (across[x] as number) * down
  for (let x = end; x < length; x++) row[x] = (row[x] as number) * (across[x] as number) * down
}
