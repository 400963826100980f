import { aomScale } from '../src/codecs/avif.ts'
import { onScale } from '../src/codecs/scales.ts'
import { limits } from '../src/contract/limits.ts'

/** The request to each of the servers: a format, and a width to shrink to. Quality is always the default. */
export interface Rendering<Format = 'jpeg' | 'webp' | 'avif'> {
  readonly format: Format
  readonly width?: number
}

const quality = limits.quality.default

/** The encoders' own number for the service's default quality: ipx passes its number on to them. */
export const encoderQuality = { jpeg: quality, webp: quality, avif: onScale(aomScale, quality) } as const
