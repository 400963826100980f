import { aomScale } from '@pixelmill/codecs/avif'
import { limits } from '@pixelmill/codecs/contract/limits'
import { onScale } from '@pixelmill/codecs/scales'
import { webpScale } from '@pixelmill/codecs/webp'

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
