import type { Size } from '@pixelmill/codecs/pixels/size'
import type { Lab, Plane } from '../salience/lab.ts'
import { gradientOf } from './plane-filters.ts'

/** What a strip along the edges of the picture says about its background. */
export interface Background extends BackgroundSurface {
  readonly gradient: Plane
  /** Largest distance in Lab from the surface at which a pixel may be background. */
  readonly near: number
  /** Share of the strip that is background. */
  readonly share: number
  /** How steeply the background's colours change: the third quartile of the gradient over its pixels in the strip. */
  readonly slope: number
}

/** Noise, shadows and unevenness of a plain wall stay within this distance in Lab. */
const LEAST_NEAR = 6
/** As a multiple of the strip's own spread. */
const NEAR = 3

export function backgroundOf(lab: Lab): Background {
  const surface = backgroundSurface(lab)
  const gradient = gradientOf(lab.planes, lab)
  const near = Math.max(LEAST_NEAR, NEAR * surface.spread)
  const background = surface.strip.filter((pixel) => (surface.distance[pixel] as number) < near)
  const slopes = Float64Array.from(background, (pixel) => gradient[pixel] as number).sort()
  const slope = slopes[Math.floor(slopes.length * 0.75)] ?? 0
  return { ...surface, gradient, near, share: background.length / surface.strip.length, slope }
}

/** Depth of the strip along the edges, as a share of the shorter side. */
const STRIP = 0.04
/** Only every third pixel of the strip is sampled: neighbours are alike. */
const STEP = 3
/** Rounds of reweighting; the weights hardly change after these. */
const ROUNDS = 12
/** Weight of the lower edge in the first round. */
const LOWER_EDGE = 0.05
/** A distance in Lab that noise and JPEG leave on a wall. */
const NOISE = 2

/** A smooth surface fitted to the background's colours. */
export interface BackgroundSurface {
  /** Distance in Lab of each pixel from the surface. */
  readonly distance: Plane
  /** The picture minus the surface: background is near 0. */
  readonly without: Lab
  /** The sampled pixels of the strip along the edges. */
  readonly strip: readonly number[]
  /** Median distance of the strip's pixels from the surface. */
  readonly spread: number
}

/**
 * Fits a quadratic surface to each channel of the strip along the edges. The fit is robust, since a subject may reach the edges:
 * iteratively reweighted least squares with Cauchy weights.
 */
function backgroundSurface(lab: Lab): BackgroundSurface {
  const strip = stripOf(lab)
  let surfaces = fitSurfaces(lab.planes, strip)
  let spread = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const distances = distancesAt(strip, lab, surfaces)
    spread = distances.toSorted()[distances.length >> 1] ?? 0
    if (round === ROUNDS) break
    const scale = Math.max(NOISE, spread)
    const weights = new Float64Array(distances.length)
    for (let at = 0; at < weights.length; at++) {
      const relative = (distances[at] as number) / scale
      weights[at] = 1 / (1 + relative * relative)
    }
    surfaces = fitSurfaces(lab.planes, { ...strip, weights })
  }
  const without = apartFrom(lab, surfaces)
  const [l, a, b] = without.planes
  const distance = new Float32Array(l.length)
  for (let pixel = 0; pixel < distance.length; pixel++) {
    const x = l[pixel] as number
    const y = a[pixel] as number
    const z = b[pixel] as number
    distance[pixel] = Math.sqrt(x * x + y * y + z * z)
  }
  return { distance, without, strip: strip.pixels, spread }
}

/** Subjects that reach an edge mostly reach the lower one, so that edge starts with a small weight. */
function stripOf({ width, height }: Size): SamplePoints {
  const depth = Math.max(1, Math.round(STRIP * Math.min(width, height)))
  const pixels: number[] = []
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const inside = column >= depth && column < width - depth && row >= depth && row < height - depth
      if (!inside && (row * width + column) % STEP === 0) pixels.push(row * width + column)
    }
  }
  return samplePoints(pixels, { width, height }, (pixel) => (pixel >= width * (height - depth) ? LOWER_EDGE : 1))
}

export function samplePoints(
  pixels: readonly number[],
  { width, height }: Size,
  weightOf: (pixel: number) => number,
): SamplePoints {
  const points = {
    pixels,
    xs: new Float64Array(pixels.length),
    ys: new Float64Array(pixels.length),
    weights: new Float64Array(pixels.length),
  }
  for (const [at, pixel] of pixels.entries()) {
    points.xs[at] = across(pixel % width, width)
    points.ys[at] = across(Math.floor(pixel / width), height)
    points.weights[at] = weightOf(pixel)
  }
  return points
}

/** Position of a pixel's centre along a side, from −1 to 1. */
const across = (at: number, length: number): number => (2 * at + 1) / length - 1

/** Distance in Lab of each of some pixels from the surfaces. */
export function distancesAt({ pixels, xs, ys }: SamplePoints, { planes }: Lab, surfaces: readonly Surface[]): Float64Array {
  const distances = new Float64Array(pixels.length)
  for (const [channel, plane] of planes.entries()) {
    const surface = surfaces[channel] as Surface
    for (let at = 0; at < distances.length; at++) {
      const rest = (plane[pixels[at] as number] as number) - heightAt(surface, xs[at] as number, ys[at] as number)
      distances[at] = (distances[at] as number) + rest * rest
    }
  }
  for (let at = 0; at < distances.length; at++) distances[at] = Math.sqrt(distances[at] as number)
  return distances
}

/** The picture minus the surfaces of its planes. */
function apartFrom({ width, height, planes }: Lab, surfaces: readonly Surface[]): Lab {
  const xs = Float64Array.from({ length: width }, (_, column) => across(column, width))
  const apart = planes.map((plane, channel) => {
    const surface = surfaces[channel] as Surface
    const rest = new Float32Array(plane.length)
    for (let row = 0, pixel = 0; row < height; row++) {
      const y = across(row, height)
      for (let column = 0; column < width; column++, pixel++)
        rest[pixel] = (plane[pixel] as number) - heightAt(surface, xs[column] as number, y)
    }
    return rest
  })
  return { width, height, planes: apart as unknown as Lab['planes'] }
}

/** Coefficients of 1, x, y, x², xy, y². */
export type Surface = Float64Array
const TERMS = 6

/** Sampled pixels with their weights; x and y run from about −1 to 1 between the edges. */
export interface SamplePoints {
  readonly pixels: readonly number[]
  readonly xs: Float64Array
  readonly ys: Float64Array
  readonly weights: Float64Array
}

export function heightAt(surface: Surface, x: number, y: number): number {
  const one = surface[0] as number
  const alongX = surface[1] as number
  const alongY = surface[2] as number
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
 * The quadratic surfaces closest to the planes at these points, by weighted least squares. A small value is added to the diagonal
 * of the normal equations, for pictures too narrow to determine all six terms.
 */
export function fitSurfaces(planes: readonly Plane[], { pixels, xs, ys, weights }: SamplePoints): readonly Surface[] {
  const length = TERMS + planes.length
  const sums = new Float64Array(TERMS * length)
  const values = new Float64Array(length)
  for (let at = 0; at < pixels.length; at++) {
    const x = xs[at] as number
    const y = ys[at] as number
    values[0] = 1
    values[1] = x
    values[2] = y
    values[3] = x * x
    values[4] = x * y
    values[5] = y * y
    for (let plane = 0; plane < planes.length; plane++)
      values[TERMS + plane] = (planes[plane] as Plane)[pixels[at] as number] as number
    const weight = weights[at] as number
    for (let term = 0, to = 0; term < TERMS; term++) {
      const factor = weight * (values[term] as number)
      for (let column = 0; column < length; column++, to++) sums[to] = (sums[to] as number) + factor * (values[column] as number)
    }
  }
  const rows = Array.from({ length: TERMS }, (_, term) => {
    const row = sums.slice(term * length, (term + 1) * length)
    row[term] = (row[term] as number) + 1e-6
    return row
  })
  solve(rows)
  return planes.map((_, plane) => Float64Array.from(rows, (row) => row[TERMS + plane] as number))
}

function addTo(row: Float64Array, other: Float64Array, factor: number): void {
  for (let at = 0; at < row.length; at++) row[at] = (row[at] as number) + factor * (other[at] as number)
}

/** Gauss–Jordan elimination, in place; the matrix is symmetric and positive definite, so it needs no pivoting. */
function solve(rows: readonly Float64Array[]): void {
  for (const [at, row] of rows.entries()) {
    const scale = 1 / (row[at] as number)
    for (let column = 0; column < row.length; column++) row[column] = (row[column] as number) * scale
    for (const other of rows) if (other !== row) addTo(other, row, -(other[at] as number))
  }
}
