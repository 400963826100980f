import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Plane } from '../salience/lab.ts'
import type { Background } from './background.ts'
import { coverage, largestArea, type Mask, outlineOf, regionsOf } from './regions.ts'

/** The region that a flood from the edges of the picture does not reach. */
export interface FloodSegmentation {
  readonly mask: Mask
  /** The lowest barrier between each pixel and the edge: see `barrierOf`. */
  readonly barrier: Plane
  /** Mean steepness along its outline, in units of Lab a pixel. */
  readonly contrast: number
  /** Share of it outside its largest connected part. */
  readonly fragments: number
}

/** Lowest threshold: nothing on a plain wall itself is as steep. */
const LOWEST = 1.2
/** Thresholds that are tried, as multiples of the lowest one and of this multiple of the background's own slope. */
const THRESHOLDS = [1, 1.4, 2, 2.8, 4] as const
const ABOVE_SLOPE = 1.3
/** A region outside these shares of the picture is no subject. */
const LEAST_AREA = 0.004
const MOST_AREA = 0.8
/** A contrast beyond this gives no higher score, or the softer parts of subjects would be lost. */
const CLEAR = 2.5
/** A higher threshold is only taken if it improves the score by more than this. */
const GAIN = 0.08

/** Floods from the edges at several thresholds; returns the region with the clearest and simplest outline, if there is one. */
export function floodFromEdges(background: Background, size: Size): FloodSegmentation | undefined {
  const { gradient, distance, near, slope } = background
  const barrier = barrierOf(gradient, size, (pixel) => (distance[pixel] as number) < near)
  let best: (FloodSegmentation & { readonly score: number }) | undefined
  for (const multiple of THRESHOLDS) {
    const threshold = multiple * Math.max(LOWEST, ABOVE_SLOPE * slope)
    const mask = Uint8Array.from(barrier, (level) => (level > threshold ? 1 : 0))
    const area = coverage(mask)
    if (area < LEAST_AREA || area > MOST_AREA) continue
    const outline = outlineOf(mask, size.width)
    const contrast = outline.reduce((sum, pixel) => sum + (gradient[pixel] as number), 0) / (outline.length || 1)
    const fragments = 1 - largestArea(regionsOf(mask, size, 1)) / (area * mask.length)
    // Length of the outline relative to a circle's; up to three times is normal.
    const raggedness = Math.max(0, outline.length / (2 * Math.sqrt(Math.PI * area * mask.length)) - 3)
    const score = Math.log(1 + Math.min(contrast, CLEAR)) - 0.7 * fragments - 0.1 * raggedness
    if (!best || score > best.score + GAIN) best = { mask, barrier, contrast, fragments, score }
  }
  return best
}

/** Barriers are quantised to a quarter of a unit of Lab, up to 256 units. */
const STEPS_PER_UNIT = 4
const LEVELS = 1024

/**
 * The minimax path cost from the edge of the picture to each pixel: the steepest place on the path where that is least steep.
 * A smooth gradient costs nothing to cross; the outline of a subject does. Dijkstra's algorithm with the maximum instead of the
 * sum, and with buckets instead of a heap.
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
    const column = pixel % width
    const row = Math.floor(pixel / width)
    const atEdge = column === 0 || row === 0 || column === width - 1 || row === height - 1
    if (atEdge && isBackground(pixel)) reach(pixel, 0)
  }
  for (const [level, bucket] of buckets.entries()) {
    // The bucket may grow during iteration.
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
