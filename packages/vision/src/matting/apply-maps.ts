import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { at, type MatteMaps, NUMBERS } from './matte-maps.ts'

/** Pixels of a row that lie between the same two pixels of the small picture. */
interface Run {
  /** The first of them, and the first after them. */
  readonly from: number
  readonly to: number
  /** Where the numbers of the two small pixels begin. */
  readonly left: number
  readonly right: number
  /** For each pixel from `from` on, the weight of the right one, 0–1. */
  readonly shares: Float32Array
}

/**
 * Makes the background of a picture transparent, in place: computes opacity from the small picture's maps and the large one's
 * colours, and removes background colour from the outline. Fully transparent pixels become 0.
 * @param picture RGBA
 */
export function applyMaps(picture: Raster, maps: MatteMaps): void {
  const { width, height, data } = picture
  const runs = runsOf(width, maps.width)
  const row = new Float32Array(maps.width * NUMBERS)
  for (let y = 0; y < height; y++) {
    mixRows(maps, positionIn(y, height, maps.height), row)
    for (const run of runs) matteRun(data, y * width, run, row)
  }
}

/** The position of a sample in a smaller picture: pixels are squares, and the edges of both pictures coincide. */
export const positionIn = (sample: number, length: number, smallLength: number): number =>
  Math.max(0, Math.min(smallLength - 1, ((sample + 0.5) * smallLength) / length - 0.5))

function runsOf(width: number, smallWidth: number): readonly Run[] {
  const columns = Float32Array.from({ length: width }, (_, x) => positionIn(x, width, smallWidth))
  const runs: Run[] = []
  for (let from = 0; from < width; ) {
    const left = Math.floor(columns[from] as number)
    let to = from + 1
    while (to < width && (columns[to] as number) < left + 1) to++
    const right = Math.min(left + 1, smallWidth - 1)
    const shares = columns.subarray(from, to).map((column) => column - left)
    runs.push({ from, to, left: left * NUMBERS, right: right * NUMBERS, shares })
    from = to
  }
  return runs
}

function mixRows({ data, width, height }: MatteMaps, position: number, row: Float32Array): void {
  const upper = Math.floor(position)
  const length = width * NUMBERS
  const from = upper * length
  const to = Math.min(upper + 1, height - 1) * length
  const share = position - upper
  for (let i = 0; i < length; i++) {
    const value = data[from + i] as number
    row[i] = value + ((data[to + i] as number) - value) * share
  }
}

/** @param first where the row of the picture begins, in pixels */
function matteRun(data: Uint8Array, first: number, { from, to, left, right, shares }: Run, row: Float32Array): void {
  const distance = row[left + at.distance] as number
  const other = row[right + at.distance] as number
  if (Math.min(distance, other) >= BAND) return
  if (Math.max(distance, other) <= -BAND) {
    data.fill(0, (first + from) * 4, (first + to) * 4)
    return
  }
  for (let x = from; x < to; x++) {
    const share = shares[x - from] as number
    for (let number = 0; number < NUMBERS; number++) {
      const value = row[left + number] as number
      here[number] = value + ((row[right + number] as number) - value) * share
    }
    unmix(data, (first + x) * 4, here)
  }
}

/** The interpolated numbers of the current pixel: allocated once, not for each of millions. */
const here = new Float32Array(NUMBERS)

/** Distance from the outline, in pixels of the small picture, within which opacity is computed; beyond, it is 0 or 1. */
const BAND = 6
/** Up to this distance only colours count; from here to the end of the band, they count less and less. */
const FREE = 2
/** The range of the guided filter's opacity that is stretched to 0–1, since it never quite reaches its ends. */
const LEAST = 0.08
const MOST = 0.92
/**
 * Unmixing is trusted less the smaller the squared distance of subject and background in RGB is relative to noise and to the
 * variance of each. Measured on composites with known alpha: without the variance, textures become half transparent.
 */
const NOISE = 300
const SPREAD = 20
/** Below this opacity a pixel shows too little of the subject to compute its colour. */
const FAINT = 0.3

/**
 * Sets the opacity of one pixel near the outline, and its colour without the background's share.
 * @param pixel index of its red in `data`, RGBA
 * @param here its numbers: see matte-maps.ts
 */
function unmix(data: Uint8Array, pixel: number, here: Float32Array): void {
  const opacity = boundOpacity(opacityOf(data, pixel, here), here[at.distance] as number)
  const alpha = Math.round(opacity * (data[pixel + 3] as number))
  data[pixel + 3] = alpha
  const subject = here[at.subject + 3] as number
  const background = here[at.background + 3] as number
  for (let channel = 0; channel < 3; channel++) {
    const mixture = data[pixel + channel] as number
    if (alpha === 0) data[pixel + channel] = 0
    else if (opacity < FAINT && subject > NONE) data[pixel + channel] = (here[at.subject + channel] as number) / subject
    else if (opacity < 1 && background > NONE) {
      const behind = (here[at.background + channel] as number) / background
      data[pixel + channel] = Math.max(0, Math.min(255, Math.round((mixture - (1 - opacity) * behind) / opacity)))
    }
  }
}

/** With a smaller share of the nearby pixels, the colour of subject or background is unknown. */
const NONE = 1e-3

/** Position of a colour between those of background and subject; where the two are similar or vary, the guided filter's opacity. */
function opacityOf(data: Uint8Array, pixel: number, here: Float32Array): number {
  const subject = here[at.subject + 3] as number
  const background = here[at.background + 3] as number
  let guidedOpacity = here[at.model + 3] as number
  let along = 0
  let squareSum = 0
  for (let channel = 0; channel < 3; channel++) {
    const colour = data[pixel + channel] as number
    guidedOpacity += (here[at.model + channel] as number) * colour
    const behind = (here[at.background + channel] as number) / background
    const way = (here[at.subject + channel] as number) / subject - behind
    along += (colour - behind) * way
    squareSum += way * way
  }
  const stretchedOpacity = unit((guidedOpacity - LEAST) / (MOST - LEAST))
  if (subject <= NONE || background <= NONE || squareSum === 0) return stretchedOpacity
  const spread = varianceOf(here, at.subject) + varianceOf(here, at.background)
  const trust = squareSum / (squareSum + NOISE + SPREAD * spread)
  return trust * unit(along / squareSum) + (1 - trust) * stretchedOpacity
}

/** Variance of the colours nearby, in squared units of RGB, of the side whose numbers begin at `from`. */
function varianceOf(here: Float32Array, from: number): number {
  const amount = here[from + 3] as number
  let variance = (here[from + 4] as number) / amount
  for (let channel = 0; channel < 3; channel++) variance -= ((here[from + channel] as number) / amount) ** 2
  return Math.max(0, variance)
}

const unit = (value: number): number => Math.max(0, Math.min(1, value))

/** Raises the minimum towards the inside and lowers the maximum towards the outside, so that the band ends without a seam. */
function boundOpacity(opacity: number, distance: number): number {
  const depth = Math.min(1, (Math.abs(distance) - FREE) / (BAND - FREE))
  if (depth <= 0) return opacity
  return distance > 0 ? Math.max(opacity, depth) : Math.min(opacity, 1 - depth)
}
