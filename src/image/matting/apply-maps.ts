import type { Raster } from '../raster.ts'
import { at, type MatteMaps, NUMBERS } from './matte-maps.ts'

/** Pixels of a row that lie between the same two of the small picture. */
interface Run {
  /** The first of them, and the first behind them. */
  readonly from: number
  readonly to: number
  /** Where the numbers of the two begin. */
  readonly left: number
  readonly right: number
  /** Of each pixel from `from` on: how much of the right one is in it, 0–1. */
  readonly shares: Float32Array
}

/**
 * Makes the background of a picture transparent, in place: opacity from what the small picture says and the large one
 * shows, and from the colours what the background has mixed into them. Where nothing is left to see, colour is 0.
 * @param picture RGBA in rows
 */
export function applyMaps(picture: Raster, maps: MatteMaps): void {
  const { width, height, data } = picture
  const runs = runsOf(width, maps.width)
  const row = new Float32Array(maps.width * NUMBERS)
  for (let y = 0; y < height; y++) {
    mixRows(maps, centred(y, height, maps.height), row)
    for (const run of runs) matteRun(data, y * width, run, row)
  }
}

/** Where a sample lies in the small picture: pixels are squares, and the edges of both pictures coincide. */
const centred = (sample: number, length: number, smallLength: number): number =>
  Math.max(0, Math.min(smallLength - 1, ((sample + 0.5) * smallLength) / length - 0.5))

function runsOf(width: number, smallWidth: number): readonly Run[] {
  const columns = Float32Array.from({ length: width }, (_, x) => centred(x, width, smallWidth))
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
  const [from, to, share] = [upper * length, Math.min(upper + 1, height - 1) * length, position - upper]
  for (let i = 0; i < length; i++) {
    const value = data[from + i] as number
    row[i] = value + ((data[to + i] as number) - value) * share
  }
}

/** @param first where the row of the picture begins, in pixels */
function matteRun(data: Uint8Array, first: number, { from, to, left, right, shares }: Run, row: Float32Array): void {
  const [distance, other] = [row[left + at.distance] as number, row[right + at.distance] as number]
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

/** The numbers of the pixel that is worked on: made once, not for each of millions. */
const here = new Float32Array(NUMBERS)

/** Pixels of the small picture to either side of the outline within which opacity is worked out; beyond, it is all or nothing. */
export const BAND = 6
/** Up to here the colours alone decide; from here to the end of the band they decide less and less. */
const FREE = 2
/** What of the guided filter's opacity is stretched to 0–1: its ends are never quite reached. */
const [LEAST, MOST] = [0.08, 0.92]
/**
 * What speaks against unmixing subject and background, beside their squared distance in RGB: noise, and how much the colours
 * of each vary. Measured on composites whose alpha is known: without the second, textures become half transparent.
 */
const [NOISE, SPREAD] = [300, 20]
/** Of a pixel with less subject than this too little is seen to tell its colour. */
const FAINT = 0.3

/**
 * Sets the opacity and the own colour of one pixel near the outline.
 * @param pixel where its red begins in `data`, RGBA
 * @param here its numbers: see matte-maps.ts
 */
export function unmix(data: Uint8Array, pixel: number, here: Float32Array): void {
  const opacity = bounded(opacityOf(data, pixel, here), here[at.distance] as number)
  const alpha = Math.round(opacity * (data[pixel + 3] as number))
  data[pixel + 3] = alpha
  const [subject, background] = [here[at.subject + 3] as number, here[at.background + 3] as number]
  for (let channel = 0; channel < 3; channel++) {
    const mixed = data[pixel + channel] as number
    if (alpha === 0) data[pixel + channel] = 0
    else if (opacity < FAINT && subject > NONE) data[pixel + channel] = (here[at.subject + channel] as number) / subject
    else if (opacity < 1 && background > NONE) {
      const behind = (here[at.background + channel] as number) / background
      data[pixel + channel] = Math.max(0, Math.min(255, Math.round((mixed - (1 - opacity) * behind) / opacity)))
    }
  }
}

/** With less than this share of the pixels nearby, subject or background have no colour to speak of. */
const NONE = 1e-3

/** How far a colour is on the way from background to subject; where the two are alike or vary, as the guided filter has it. */
function opacityOf(data: Uint8Array, pixel: number, here: Float32Array): number {
  const [subject, background] = [here[at.subject + 3] as number, here[at.background + 3] as number]
  let [guided, along, squared] = [here[at.model + 3] as number, 0, 0]
  for (let channel = 0; channel < 3; channel++) {
    const colour = data[pixel + channel] as number
    guided += (here[at.model + channel] as number) * colour
    const behind = (here[at.background + channel] as number) / background
    const way = (here[at.subject + channel] as number) / subject - behind
    along += (colour - behind) * way
    squared += way * way
  }
  const stretched = unit((guided - LEAST) / (MOST - LEAST))
  if (subject <= NONE || background <= NONE || squared === 0) return stretched
  const spread = varianceOf(here, at.subject) + varianceOf(here, at.background)
  const trust = squared / (squared + NOISE + SPREAD * spread)
  return trust * unit(along / squared) + (1 - trust) * stretched
}

/** How much the colours nearby vary, in squared units of RGB: of one side, whose numbers begin at `from`. */
function varianceOf(here: Float32Array, from: number): number {
  const amount = here[from + 3] as number
  let variance = (here[from + 4] as number) / amount
  for (let channel = 0; channel < 3; channel++) variance -= ((here[from + channel] as number) / amount) ** 2
  return Math.max(0, variance)
}

const unit = (value: number): number => Math.max(0, Math.min(1, value))

/** The deeper inside, the more opaque at least; the farther outside, the less opaque at most: without a seam at the band's ends. */
function bounded(opacity: number, distance: number): number {
  const depth = Math.min(1, (Math.abs(distance) - FREE) / (BAND - FREE))
  if (depth <= 0) return opacity
  return distance > 0 ? Math.max(opacity, depth) : Math.min(opacity, 1 - depth)
}
