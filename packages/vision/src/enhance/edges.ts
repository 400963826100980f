import { gaussian } from './gaussian.ts'
import type { Plane } from './planes.ts'

/** How blurred the edges of a picture are. */
export interface Softness {
  /** Deviation, in pixels, of the Gaussian blur of its sharpest edges; 0 if it has too few edges. */
  readonly sigma: number
  /** Blur in the direction of the softest edges divided by that of the sharpest: 1 if it is equal in all directions. */
  readonly anisotropy: number
}

/** Deviation of the blur that is added for comparison, in pixels. */
const ADDED = 1
/** Change of brightness from one pixel to the next that makes an edge, in levels. */
const LEAST_STEP = 8
/** Larger blurs cannot be distinguished. */
const SOFTEST = 6
/**
 * Most edges of a scene are soft by themselves, so the sharpest tenth counts. It underestimates the blur by this factor on
 * photographs that were blurred by 0.8 to 2 pixels.
 */
const SHARPEST = 0.1
const OF_SHARPEST = 1.25
/** Fewer edges are not enough for an estimate. */
const ENOUGH = 100

/** Blur, in pixels, of each edge whose brightness changes horizontally, diagonally down, vertically, and diagonally up. */
export type Edges = readonly [number[], number[], number[], number[]]

/**
 * Zhuo and Sim, "Defocus map estimation from a single image" (2011): another blur weakens a blurred edge less than a sharp
 * one. From the ratio R of both gradients follows the edge's own deviation: that of the added blur / √(R² − 1). The border to
 * transparency is not an edge of the picture.
 * @param light brightness of 0–255
 */
export function addEdges(edges: Edges, light: Plane, width: number, height: number, alpha?: Plane): void {
  const softLight = gaussian(light, width, height, ADDED)
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2; x < width - 2; x++) {
      const at = y * width + x
      const step = gradient(light, at, width)
      if (step < LEAST_STEP || !isRidge(light, at, width, step)) continue
      if (alpha && endsAt(alpha, at, width)) continue
      const ratio = step / gradient(softLight, at, width)
      const sigma = ratio > 1 ? Math.min(SOFTEST, ADDED / Math.sqrt(ratio * ratio - 1)) : SOFTEST
      edges[directionOf(light, at, width)].push(sigma)
    }
  }
}

/** Camera shake only blurs edges across its path, which shows as a difference between directions. */
export function softnessOf(edges: Edges): Softness {
  const byDirection = edges.filter(({ length }) => length >= ENOUGH).map(sharpest)
  const all = edges.flat()
  return {
    sigma: all.length >= ENOUGH ? sharpest(all) * OF_SHARPEST : 0,
    anisotropy: byDirection.length > 1 ? Math.max(...byDirection) / Math.min(...byDirection) : 1,
  }
}

/**
 * 0 to 1: the share of steepness that the sharpest edges lose by a blur of one pixel (after Crété, "The blur effect", 2007).
 * 0 if there are no edges.
 */
export const sharpnessOf = ({ sigma }: Softness): number => (sigma > 0 ? 1 - sigma / Math.hypot(sigma, ADDED) : 0)

const sharpest = (sigmas: readonly number[]): number =>
  sigmas.toSorted((a, b) => a - b)[Math.floor(SHARPEST * sigmas.length)] ?? 0

const across = (plane: Plane, at: number): number => (plane[at + 1] as number) - (plane[at - 1] as number)
const down = (plane: Plane, at: number, width: number): number => (plane[at + width] as number) - (plane[at - width] as number)
/** Not by Math.hypot, which takes several times as long. */
function gradient(plane: Plane, at: number, width: number): number {
  const x = across(plane, at)
  const y = down(plane, at, width)
  return Math.sqrt(x * x + y * y) / 2
}

/** Whether no neighbour, horizontally or vertically, has a steeper gradient. */
const isRidge = (plane: Plane, at: number, width: number, step: number): boolean =>
  (step >= gradient(plane, at - 1, width) && step >= gradient(plane, at + 1, width)) ||
  (step >= gradient(plane, at - width, width) && step >= gradient(plane, at + width, width))

/** Whether any pixel that both gradients depend on is not opaque. */
function endsAt(alpha: Plane, at: number, width: number): boolean {
  for (let y = -2; y <= 2; y++) for (let x = -2; x <= 2; x++) if ((alpha[at + y * width + x] as number) < 255) return true
  return false
}

/** The index in `Edges` of the direction in which brightness changes. */
function directionOf(plane: Plane, at: number, width: number): 0 | 1 | 2 | 3 {
  const angle = Math.atan2(down(plane, at, width), across(plane, at)) + Math.PI
  return (Math.round(angle / (Math.PI / 4)) % 4) as 0 | 1 | 2 | 3
}

/** Change of brightness, in levels, from one pixel to the next and over the whole edge. */
const STEEPEST_STEP = 16
const LEAST_HEIGHT = 24

/**
 * The share of an edge's height that its steepest pixel covers: 1 for a perfect step, erf(1 / (2√2 σ)) after a Gaussian blur of
 * σ, which is 0.47 for 0.8 pixels. Softness mistakes the perfect steps of drawings for a blur of one pixel; this does not.
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

/** The median over all edges; 0 if there are too few. */
export const steepnessOf = (shares: readonly number[]): number =>
  shares.length >= ENOUGH ? (shares.toSorted((a, b) => a - b)[shares.length >> 1] ?? 0) : 0

/** Adds an edge between a pixel and the next along an axis, if it is a local maximum and lies across that axis. */
function addEdge(shares: number[], light: Plane, at: number, along: number, beside: number): void {
  const step = between(light, at, at + along)
  if (step < STEEPEST_STEP || step < between(light, at - along, at) || step < between(light, at + along, at + 2 * along)) return
  if (between(light, at - beside, at + beside) > step) return
  const rise = between(light, at - 2 * along, at + 3 * along) + between(light, at - 3 * along, at + 4 * along)
  if (rise >= 2 * LEAST_HEIGHT) shares.push((2 * step) / rise)
}

const between = (light: Plane, from: number, to: number): number => Math.abs((light[to] as number) - (light[from] as number))
