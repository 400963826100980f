import type { Bitmap } from '../../codecs/bitmap.ts'
import { readBand, writeBand } from './planes.ts'
import type { Step } from './step.ts'

/** What is in memory as numbers at a time are rows of this many pixels, and those that reach into them, which are worked on twice. */
const BAND_PIXELS = 2_000_000
const LEAST_BAND_ROWS = 128
/** Bands begin on multiples of this, where the whole picture's blocks would. */
const GRID = 8

/** Does all steps to a band at a time, so that nothing is rounded between them. What a band shows is what the whole would. */
export function runSteps(picture: Bitmap, grey: boolean, steps: readonly Step[], bandRows = bandRowsOf(picture)): Bitmap {
  const { width, height, channels } = picture
  const scale = steps.reduce((product, step) => product * step.scale, 1)
  const length = width * height * scale * scale * channels
  const data = picture.data.BYTES_PER_ELEMENT === 2 ? new Uint16Array(length) : new Uint8Array(length)
  const result: Bitmap = { width: width * scale, height: height * scale, channels, data }
  const reach = Math.ceil(reachOf(steps) / GRID) * GRID
  for (let from = 0; from < height; from += bandRows) {
    const to = Math.min(height, from + bandRows)
    const top = Math.max(0, from - reach)
    const band = readBand(picture, grey, top, Math.min(height, to + reach))
    const done = steps.reduce((current, step) => step.apply(current), band)
    writeBand(done, (from - top) * scale, (to - from) * scale, result, from * scale)
  }
  return result
}

const bandRowsOf = ({ width }: Bitmap): number => Math.max(LEAST_BAND_ROWS, Math.round(BAND_PIXELS / width / GRID) * GRID)

/** In rows of the source. */
function reachOf(steps: readonly Step[]): number {
  let [reach, scale] = [0, 1]
  for (const step of steps) {
    reach += step.reach / scale
    scale *= step.scale
  }
  return reach
}
