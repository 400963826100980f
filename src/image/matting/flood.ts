import type { Plane } from '../salience/lab.ts'
import type { Size } from '../size.ts'
import type { Backdrop } from './background.ts'
import { areaOf, largestOf, type Mask, outlineOf, regionsOf } from './regions.ts'

/** What a flood from the edges did not reach. */
export interface Island {
  readonly mask: Mask
  /** The lowest barrier between each pixel and the edge: see barrier.ts. */
  readonly barrier: Plane
  /** Mean steepness along its outline, in units of Lab a pixel. */
  readonly contrast: number
  /** Share of it that does not belong to its largest part. */
  readonly crumbs: number
}

/** Lowest dam: so steep is nothing on a plain wall but what stands before it. */
const LOWEST = 1.2
/** Dams are tried that much above the background's own slopes. */
const DAMS = [1, 1.4, 2, 2.8, 4] as const
const ABOVE_SLOPE = 1.3
/** Below and above these shares of the picture it is no subject. */
const [LEAST_AREA, MOST_AREA] = [0.004, 0.8]
/** An outline that steep is clear: a steeper one is no better, or the softer parts of subjects would be lost to it. */
const CLEAR = 2.5
/** What a higher dam has to gain, lest it be raised for nothing. */
const GAIN = 0.08

/** The flood behind the dam that leaves the clearest and simplest island; undefined where none leaves one. */
export function islandOf(backdrop: Backdrop, size: Size): Island | undefined {
  const { gradient, distance, near, slope } = backdrop
  const barrier = barrierOf(gradient, size, (pixel) => (distance[pixel] as number) < near)
  let best: (Island & { readonly score: number }) | undefined
  for (const dam of DAMS) {
    const height = dam * Math.max(LOWEST, ABOVE_SLOPE * slope)
    const mask = Uint8Array.from(barrier, (level) => (level > height ? 1 : 0))
    const area = areaOf(mask)
    if (area < LEAST_AREA || area > MOST_AREA) continue
    const outline = outlineOf(mask, size.width)
    const contrast = outline.reduce((sum, pixel) => sum + (gradient[pixel] as number), 0) / (outline.length || 1)
    const crumbs = 1 - largestOf(regionsOf(mask, size, 1)) / (area * mask.length)
    // How many times as long as a circle's: up to three is nothing to speak of.
    const raggedness = Math.max(0, outline.length / (2 * Math.sqrt(Math.PI * area * mask.length)) - 3)
    const score = Math.log(1 + Math.min(contrast, CLEAR)) - 0.7 * crumbs - 0.1 * raggedness
    if (!best || score > best.score + GAIN) best = { mask, barrier, contrast, crumbs, score }
  }
  return best
}

/** Barriers are told apart to a quarter of a unit of Lab, up to 256 units. */
const STEPS_PER_UNIT = 4
const LEVELS = 1024

/**
 * The lowest barrier between each pixel and the edge of the picture: on the path whose steepest place is least steep, how
 * steep that is. A background that drifts from shade to shade is crossed at no cost; the outline of a subject is not.
 * Dijkstra's algorithm with the maximum in place of the sum (minimax path), and a bucket for each level in place of a heap.
 */
export function barrierOf(gradient: Plane, { width, height }: Size, isBackground: (pixel: number) => boolean): Plane {
  const steepness = Uint16Array.from(gradient, (value) => Math.min(LEVELS - 1, value * STEPS_PER_UNIT))
  const barrier = new Uint16Array(gradient.length).fill(LEVELS)
  const buckets: number[][] = Array.from({ length: LEVELS }, () => [])
  const reach = (pixel: number, level: number) => {
    const over = Math.max(level, steepness[pixel] as number)
    if (over >= (barrier[pixel] as number)) return
    barrier[pixel] = over
    buckets[over]?.push(pixel)
  }
  for (let pixel = 0; pixel < barrier.length; pixel++) {
    const [column, row] = [pixel % width, Math.floor(pixel / width)]
    const atEdge = column === 0 || row === 0 || column === width - 1 || row === height - 1
    if (atEdge && isBackground(pixel)) reach(pixel, 0)
  }
  for (const [level, bucket] of buckets.entries()) {
    // It grows while it is emptied.
    for (const pixel of bucket) {
      if (barrier[pixel] !== level) continue
      const column = pixel % width
      if (column > 0) reach(pixel - 1, level)
      if (column < width - 1) reach(pixel + 1, level)
      if (pixel >= width) reach(pixel - width, level)
      if (pixel < barrier.length - width) reach(pixel + width, level)
    }
  }
  return Float32Array.from(barrier, (level) => level / STEPS_PER_UNIT)
}
