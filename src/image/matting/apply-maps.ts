import type { Raster } from '../ssim.ts'
import { at, type MatteMaps, NUMBERS } from './matte-maps.ts'
import { BAND, unmix } from './unmix.ts'

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
