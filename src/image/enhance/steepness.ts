import type { Plane } from './planes.ts'

/** Levels by which brightness has to change from a pixel to the next, and over the whole of an edge. */
const [LEAST_STEP, LEAST_HEIGHT] = [16, 24]
/** Fewer edges tell nothing. */
const ENOUGH = 100

/**
 * The share of an edge's height that its steepest pixel takes: 1 for a perfect step, erf(1 / (2√2 σ)) after a Gaussian blur of σ,
 * which is 0.47 for 0.8 pixels. Softness takes perfect steps, of which drawings are made, for a blur of one pixel; this does not.
 * @param light brightness of 0–255
 */
export function addSteepness(shares: number[], light: Plane, width: number, height: number): void {
  for (let y = 3; y < height - 4; y++) {
    for (let x = 3; x < width - 4; x++) {
      const at = y * width + x
      addEdge(shares, light, at, 1, width)
      addEdge(shares, light, at, width, 1)
    }
  }
}

/** Of most edges; 0 where there are too few to tell. */
export const steepnessOf = (shares: readonly number[]): number =>
  shares.length >= ENOUGH ? (shares.toSorted((a, b) => a - b)[shares.length >> 1] ?? 0) : 0

/** An edge between a pixel and the next along an axis, if it is steeper than beside it, and lies across that axis. */
function addEdge(shares: number[], light: Plane, at: number, along: number, beside: number): void {
  const step = between(light, at, at + along)
  if (step < LEAST_STEP || step < between(light, at - along, at) || step < between(light, at + along, at + 2 * along)) return
  if (between(light, at - beside, at + beside) > step) return
  const rise = between(light, at - 2 * along, at + 3 * along) + between(light, at - 3 * along, at + 4 * along)
  if (rise >= 2 * LEAST_HEIGHT) shares.push((2 * step) / rise)
}

const between = (light: Plane, from: number, to: number): number => Math.abs((light[to] as number) - (light[from] as number))
