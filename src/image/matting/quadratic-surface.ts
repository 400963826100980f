import type { Plane } from '../salience/lab.ts'

/** Coefficients of 1, x, y, x², xy, y². */
export type Surface = Float64Array
const TERMS = 6

/** Places in a picture and how much each of them counts; x and y are about −1–1 from edge to edge. */
export interface Places {
  readonly pixels: readonly number[]
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly weights: Float64Array
}

export function heightAt(surface: Surface, x: number, y: number): number {
  const [one, alongX, alongY] = [surface[0] as number, surface[1] as number, surface[2] as number]
  return (
    one +
    alongX * x +
    alongY * y +
    (surface[3] as number) * x * x +
    (surface[4] as number) * x * y +
    (surface[5] as number) * y * y
  )
}

/**
 * The surfaces of the second degree that are closest to the planes at these places: weighed least squares. A little is
 * added to the diagonal of the normal equations for pictures too narrow to have all six terms.
 */
export function fitSurfaces(planes: readonly Plane[], { pixels, xs, ys, weights }: Places): readonly Surface[] {
  const rows = Array.from({ length: TERMS }, (_, term) => {
    const row = new Float64Array(TERMS + planes.length)
    row[term] = 1e-6
    return row
  })
  const known = new Float64Array(TERMS + planes.length)
  for (const [at, pixel] of pixels.entries()) {
    const [x, y] = [xs[at] as number, ys[at] as number]
    known.set([1, x, y, x * x, x * y, y * y])
    for (let plane = 0; plane < planes.length; plane++) known[TERMS + plane] = planes[plane]?.[pixel] as number
    for (let term = 0; term < TERMS; term++)
      addTo(rows[term] as Float64Array, known, (weights[at] as number) * (known[term] as number))
  }
  solve(rows)
  return planes.map((_, plane) => Float64Array.from(rows, (row) => row[TERMS + plane] as number))
}

function addTo(row: Float64Array, other: Float64Array, factor: number): void {
  for (let at = 0; at < row.length; at++) row[at] = (row[at] as number) + factor * (other[at] as number)
}

/** Gauss–Jordan, in place; the matrix is symmetric and positive definite, so that no row needs to be exchanged. */
function solve(rows: readonly Float64Array[]): void {
  for (const [at, row] of rows.entries()) {
    const scale = 1 / (row[at] as number)
    for (let column = 0; column < row.length; column++) row[column] = (row[column] as number) * scale
    for (const other of rows) if (other !== row) addTo(other, row, -(other[at] as number))
  }
}
