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
    const mask = above(barrier, threshold)
    const area = coverage(mask)
    if (area < LEAST_AREA || area > MOST_AREA) continue
    const outline = outlineOf(mask, size.width)
    const contrast = sumAt(gradient, outline) / (outline.length || 1)
    const fragments = 1 - largestArea(regionsOf(mask, size, 1)) / (area * mask.length)
    // Length of the outline relative to a circle's; up to three times is normal.
    const raggedness = Math.max(0, outline.length / (2 * Math.sqrt(Math.PI * area * mask.length)) - 3)
    const score = Math.log(1 + Math.min(contrast, CLEAR)) - 0.7 * fragments - 0.1 * raggedness
    if (!best || score > best.score + GAIN) best = { mask, barrier, contrast, fragments, score }
  }
  return best
}

function above(plane: Plane, threshold: number): Mask {
  const mask = new Uint8Array(plane.length)
  for (let pixel = 0; pixel < mask.length; pixel++) mask[pixel] = (plane[pixel] as number) > threshold ? 1 : 0
  return mask
}

function sumAt(plane: Plane, pixels: readonly number[]): number {
  let sum = 0
  for (const pixel of pixels) sum += plane[pixel] as number
  return sum
}

/** Barriers are quantised to a quarter of a unit of Lab, up to 256 units. */
const STEPS_PER_UNIT = 4
const LEVELS = 1024
const NONE = -1

/**
 * The minimax path cost from the edge of the picture to each pixel: the steepest place on the path where that is least steep.
 * A smooth gradient costs nothing to cross; the outline of a subject does. Dijkstra's algorithm with the maximum instead of the
 * sum, and with buckets instead of a heap.
 */
export function barrierOf(gradient: Plane, { width, height }: Size, isBackground: (pixel: number) => boolean): Plane {
  const front = new Front(gradient)
  for (let row = 0, pixel = 0; row < height; row++) {
    const step = row === 0 || row === height - 1 ? 1 : Math.max(1, width - 1)
    for (let column = 0; column < width; column += step) {
      pixel = row * width + column
      if (isBackground(pixel)) front.reach(pixel, 0)
    }
  }
  for (let level = 0; level < LEVELS; level++) {
    for (let pixel = front.take(level); pixel !== NONE; pixel = front.take(level)) {
      const column = pixel % width
      if (column > 0) front.reach(pixel - 1, level)
      if (column < width - 1) front.reach(pixel + 1, level)
      if (pixel >= width) front.reach(pixel - width, level)
      if (pixel < gradient.length - width) front.reach(pixel + width, level)
    }
  }
  const barrier = new Float32Array(gradient.length)
  for (let pixel = 0; pixel < barrier.length; pixel++) barrier[pixel] = (front.levels[pixel] as number) / STEPS_PER_UNIT
  return barrier
}

/** The pixels that were reached, by the level at which: a stack for each level, linked from pixel to pixel. */
class Front {
  /** The lowest level at which each pixel was reached. */
  readonly levels: Uint16Array
  readonly #steepness: Uint16Array
  readonly #first = new Int32Array(LEVELS).fill(NONE)
  readonly #next: Int32Array

  constructor(gradient: Plane) {
    this.levels = new Uint16Array(gradient.length).fill(LEVELS)
    this.#steepness = new Uint16Array(gradient.length)
    this.#next = new Int32Array(gradient.length)
    for (let pixel = 0; pixel < gradient.length; pixel++)
      this.#steepness[pixel] = Math.min(LEVELS - 1, (gradient[pixel] as number) * STEPS_PER_UNIT)
  }

  /** A pixel is first reached at its final level, since fronts come in ascending order: it waits in one stack at most. */
  reach(pixel: number, level: number): void {
    if ((this.levels[pixel] as number) < LEVELS) return
    const over = Math.max(level, this.#steepness[pixel] as number)
    this.levels[pixel] = over
    this.#next[pixel] = this.#first[over] as number
    this.#first[over] = pixel
  }

  take(level: number): number {
    const pixel = this.#first[level] as number
    if (pixel !== NONE) this.#first[level] = this.#next[pixel] as number
    return pixel
  }
}
