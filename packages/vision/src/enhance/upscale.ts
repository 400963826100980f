import { lanczos3 } from '@pixelmill/kernels/axis'
import { copiesOf, differenceRows, doubledRows, halvedRows } from '@pixelmill/kernels/filters'
import type { Workspace } from '@pixelmill/kernels/memory'
import { type PlaneRows, RecentRows } from '@pixelmill/kernels/rows'

/** Passes of back-projection: a third gains nothing. */
const PASSES = 2
/** Rows that are under way: of the source through two passes, and of the result through one. */
const SOURCE_ROWS = 16
const RESULT_ROWS = 12

/** Doubles width and height by Lanczos-3; the edges of both pictures coincide. */
export const enlargedRows = (workspace: Workspace, rows: PlaneRows): PlaneRows => doubledRows(workspace, rows, lanczos)

/**
 * Iterative back-projection (Irani and Peleg, "Improving resolution by image registration", 1991): the enlarged picture, shrunk
 * again, should equal the original; the difference is enlarged and added.
 */
export function upscaledRows(workspace: Workspace, rows: PlaneRows): PlaneRows {
  const source = new RecentRows(workspace, rows, SOURCE_ROWS)
  let result = enlargedRows(workspace, copiesOf(workspace, source))
  for (let pass = 0; pass < PASSES; pass++) {
    const before = new RecentRows(workspace, result, RESULT_ROWS)
    const missing = differenceRows(workspace, source, shrunkRows(workspace, copiesOf(workspace, before)))
    result = doubledRows(workspace, missing, cubic, before)
  }
  return result
}

/** Halves width and height, by the eight samples that Catmull-Rom covers at half the resolution. */
export const shrunkRows = (workspace: Workspace, rows: PlaneRows): PlaneRows => halvedRows(workspace, rows, halving)

/** Keys 1981, with a = −½: Catmull-Rom. */
function catmullRom(distance: number): number {
  const x = Math.abs(distance)
  if (x < 1) return (1.5 * x - 2.5) * x * x + 1
  return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
}

const normalise = (weights: readonly number[]): readonly number[] => {
  const sum = weights.reduce((total, weight) => total + weight)
  return weights.map((weight) => weight / sum)
}

/** Weights of the first of each two pixels that one becomes: it lies a quarter before the centre of that. */
const doubling = (weightAt: (distance: number) => number, reach: number): readonly number[] =>
  normalise(Array.from({ length: 2 * reach }, (_, tap) => weightAt(tap - reach + 0.25)))

const lanczos = doubling(lanczos3, 3)
const cubic = doubling(catmullRom, 2)
const halving = normalise(Array.from({ length: 8 }, (_, tap) => catmullRom((tap - 3.5) / 2)))
