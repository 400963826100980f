import { aomScale } from '../src/codecs/avif.ts'
import { onScale } from '../src/codecs/scales.ts'
import { limits } from '../src/contract/limits.ts'

/** What is asked of each of the three: a format, and a width if the picture is to shrink. Quality is always the default. */
export interface Rendering {
  readonly format: 'jpeg' | 'webp' | 'avif'
  readonly width?: number
}

const quality = limits.quality.default

/** What the service's default quality is called by the encoders themselves: ipx hands its number straight to them. */
export const encoderQuality = { jpeg: quality, webp: quality, avif: onScale(aomScale, quality) } as const
