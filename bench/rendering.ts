import { aomScale } from '../src/codecs/avif.ts'
import { onScale } from '../src/codecs/scales.ts'
import { webpScale } from '../src/codecs/webp.ts'
import { limits } from '../src/contract/limits.ts'

/** The request to each of the servers: a format, and a width to shrink to. Quality is always the default. */
export interface Rendering<Format = 'jpeg' | 'webp' | 'avif'> {
  readonly format: Format
  readonly width?: number
}

const quality = limits.quality.default

/** Height of most photographs for each pixel of their width. */
const RATIO = 2 / 3

/** The encoder's own number for the service's default quality at this size: other servers pass their number on to it. */
export function encoderQuality({ format, width }: Rendering): number {
  const megapixels = width ? (width * width * RATIO) / 1e6 : Infinity
  if (format === 'jpeg') return quality
  return onScale(format === 'webp' ? webpScale : aomScale, quality, megapixels)
}
