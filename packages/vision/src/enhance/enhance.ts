import { looksDrawn } from '@pixelmill/codecs/pixels/looks-drawn'
import { isGrey, type Raster } from '@pixelmill/codecs/pixels/raster'
import type { Bitmap } from '@pixelmill/codecs/reader'
import { choose, type EnhanceOptions } from './choose.ts'
import { type Measurements, measurePicture } from './measure.ts'
import { runSteps } from './run-steps.ts'
import { type Operation, stepOf } from './steps.ts'

export interface Enhanced {
  /** The input picture itself if there was nothing to do. */
  readonly picture: Bitmap
  readonly operations: readonly Operation[]
  readonly before: Measurements
  readonly after: Measurements
}

/**
 * Measures a picture, applies the filters that improve it, and measures the result.
 * @param picture overwritten, unless the result is larger
 * @param jpegQuality 1–100 if the source was a JPEG
 */
export function enhance(picture: Bitmap, options: EnhanceOptions, jpegQuality = 100): Enhanced {
  const grey = isGrey(picture)
  const before = measurePicture(picture, grey)
  const facts = {
    megapixels: (picture.width * picture.height) / 1e6,
    shorterSide: Math.min(picture.width, picture.height),
    drawn: looksDrawn(inEightBits(picture)),
    jpegQuality,
  }
  const operations = choose(before, facts, options)
  if (operations.length === 0) return { picture, operations, before, after: before }
  const result = runSteps(picture, grey, operations.map(stepOf))
  return { picture: result, operations, before, after: measurePicture(result, grey) }
}

function inEightBits({ data, ...size }: Bitmap): Raster {
  if (data instanceof Uint8Array) return { ...size, data }
  const eightBits = new Uint8Array(data.length)
  for (let i = 0; i < data.length; i++) eightBits[i] = (data[i] as number) >> 8
  return { ...size, data: eightBits }
}
