import type { Bitmap } from '../../codecs/bitmap.ts'
import { looksDrawn } from '../looks-drawn.ts'
import type { Raster } from '../raster.ts'
import { choose, type Wish } from './choose.ts'
import { runSteps } from './run-steps.ts'
import { fillHidden, type Operation, stepOf } from './steps.ts'
import { type Survey, survey } from './survey.ts'

export interface Enhanced {
  /** The very picture that came where there was nothing to do. */
  readonly picture: Bitmap
  readonly operations: readonly Operation[]
  readonly before: Survey
  readonly after: Survey
}

/**
 * Looks at a picture, does to it what makes it better, and looks again.
 * @param picture written over, unless it becomes larger
 * @param jpegQuality 1–100 of what was a JPEG
 */
export function enhance(picture: Bitmap, wish: Wish, jpegQuality = 100): Enhanced {
  const grey = isGrey(picture)
  const before = survey(picture, grey)
  const subject = {
    megapixels: (picture.width * picture.height) / 1e6,
    shorterSide: Math.min(picture.width, picture.height),
    drawn: looksDrawn(inEightBits(picture)),
    jpegQuality,
  }
  const operations = choose(before, subject, wish)
  if (operations.length === 0) return { picture, operations, before, after: before }
  const hidden = picture.channels === 4 ? [fillHidden] : []
  const result = runSteps(picture, grey, [...hidden, ...operations.map(stepOf)])
  return { picture: result, operations, before, after: survey(result, grey) }
}

function inEightBits({ data, ...size }: Bitmap): Raster {
  if (data instanceof Uint8Array) return { ...size, data }
  const eightBits = new Uint8Array(data.length)
  for (let i = 0; i < data.length; i++) eightBits[i] = (data[i] as number) >> 8
  return { ...size, data: eightBits }
}

/** Whether all three channels are the same: as one plane, this takes a third of the time. */
export function isGrey({ data, channels }: Bitmap): boolean {
  if (channels === 1) return true
  for (let at = 0; at < data.length; at += channels) {
    if (data[at] !== data[at + 1] || data[at] !== data[at + 2]) return false
  }
  return true
}
