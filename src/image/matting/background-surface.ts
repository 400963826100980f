import type { Size } from '../result-size.ts'
import type { Lab, Plane } from '../salience/lab.ts'

/** Share of the shorter side that the strip along the edges is deep. */
const STRIP = 0.04
/** Every so many pixels of the strip are looked at: neighbours say the same. */
const STEP = 3
/** Rounds of weighing anew; the weights hardly change after these. */
const ROUNDS = 12
/** Weight of the lower edge in the first round. */
const LOWER_EDGE = 0.05
/** A distance in Lab that noise and JPEG leave on a wall. */
const NOISE = 2
/** 1, x, y, x², xy, y² */
const TERMS = 6

/** What a picture's background would be if it were a smooth drift of shades. */
export interface BackgroundSurface {
  /** Distance in Lab of each pixel from the surface. */
  readonly distance: Plane
  /** The picture with the surface taken away: background is near 0. */
  readonly without: Lab
  /** Pixels of the strip along the edges, every third of them. */
  readonly strip: readonly number[]
  /** Half of the strip's pixels are as near to the surface or nearer. */
  readonly spread: number
}

/**
 * Fits a surface of the second degree to the strip along the edges, channel by channel, such that what the most of it has in
 * common counts: a subject may cut through the edges. Iteratively reweighted least squares with Cauchy's weights.
 */
export function backgroundSurface(lab: Lab): BackgroundSurface {
  const { width, height, planes } = lab
  const strip = stripOf(width, height)
  const terms = strip.map((pixel) => termsAt(pixel, width, height))
  // People and things are cut by the lower edge, if by any: it has little to say at first.
  let weights = Float64Array.from(strip, (pixel) => (pixel >= width * (height - depthOf(lab)) ? LOWER_EDGE : 1))
  let surfaces: readonly Float64Array[] = []
  let spread = 0
  for (let round = 0; round < ROUNDS; round++) {
    surfaces = planes.map((plane) => fit(terms, weights, strip, plane))
    const distances = Float64Array.from(strip, (pixel, at) => {
      let squared = 0
      for (const [channel, plane] of planes.entries())
        squared += ((plane[pixel] as number) - heightAt(surfaces[channel], terms[at])) ** 2
      return Math.sqrt(squared)
    })
    spread = distances.toSorted()[distances.length >> 1] ?? 0
    const scale = Math.max(NOISE, spread)
    weights = distances.map((distance) => 1 / (1 + (distance / scale) ** 2))
  }
  return { ...apartFrom(lab, surfaces), strip, spread }
}

/** What is left of a picture without the surfaces of its planes, and how far that is from nothing. */
function apartFrom(
  { width, height, planes }: Lab,
  surfaces: readonly Float64Array[],
): Pick<BackgroundSurface, 'distance' | 'without'> {
  const without = planes.map((plane) => plane.slice())
  const distance = new Float32Array(width * height)
  for (let pixel = 0; pixel < distance.length; pixel++) {
    const terms = termsAt(pixel, width, height)
    let squared = 0
    for (const [channel, plane] of without.entries()) {
      const rest = (plane[pixel] as number) - heightAt(surfaces[channel], terms)
      plane[pixel] = rest
      squared += rest * rest
    }
    distance[pixel] = Math.sqrt(squared)
  }
  return { distance, without: { width, height, planes: without as unknown as Lab['planes'] } }
}

const depthOf = ({ width, height }: Size): number => Math.max(1, Math.round(STRIP * Math.min(width, height)))

function stripOf(width: number, height: number): readonly number[] {
  const depth = depthOf({ width, height })
  const pixels: number[] = []
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const inside = column >= depth && column < width - depth && row >= depth && row < height - depth
      if (!inside && (row * width + column) % STEP === 0) pixels.push(row * width + column)
    }
  }
  return pixels
}

function termsAt(pixel: number, width: number, height: number): readonly number[] {
  const column = pixel % width
  const [x, y] = [(2 * column + 1) / width - 1, (2 * (pixel - column)) / width / height - 1]
  return [1, x, y, x * x, x * y, y * y]
}

function heightAt(surface: Float64Array | undefined, terms: readonly number[] | undefined): number {
  let sum = 0
  for (let term = 0; term < TERMS; term++) sum += (surface?.[term] ?? 0) * (terms?.[term] ?? 0)
  return sum
}

/** Solves the normal equations; a little is added to their diagonal for pictures too narrow to have all six terms. */
function fit(terms: readonly (readonly number[])[], weights: Float64Array, strip: readonly number[], plane: Plane): Float64Array {
  const rows = Array.from({ length: TERMS }, (_, term) =>
    Float64Array.from({ length: TERMS + 1 }, (_, at) => (at === term ? 1e-6 : 0)),
  )
  for (const [at, pixel] of strip.entries()) {
    const weight = weights[at] as number
    const known = terms[at] as readonly number[]
    for (const [term, row] of rows.entries()) {
      const weighed = weight * (known[term] as number)
      for (let other = 0; other < TERMS; other++) row[other] = (row[other] as number) + weighed * (known[other] as number)
      row[TERMS] = (row[TERMS] as number) + weighed * (plane[pixel] as number)
    }
  }
  return solve(rows)
}

/** Gauss–Jordan; the matrix is symmetric and positive definite, so that no row needs to be exchanged. */
function solve(rows: readonly Float64Array[]): Float64Array {
  for (const [at, row] of rows.entries()) {
    const scale = 1 / (row[at] as number)
    for (let column = 0; column <= TERMS; column++) row[column] = (row[column] as number) * scale
    for (const other of rows) {
      const factor = other[at] as number
      if (other === row) continue
      for (let column = 0; column <= TERMS; column++) other[column] = (other[column] as number) - factor * (row[column] as number)
    }
  }
  return Float64Array.from(rows, (row) => row[TERMS] as number)
}
