import { removeBackground } from '@pixelmill/vision/matting/remove-background'
import sharp from 'sharp'
import type { Composite } from './composites.ts'

export interface Score {
  readonly subject: string
  readonly backdrop: string
  readonly studio: boolean
  readonly confidence: number
  /** Intersection over union of the pixels that are more than half opaque with those that should be. */
  readonly overlap: number
  /** Mean error of alpha over the pixels that should be semi-transparent, 0–1. */
  readonly mixedError: number
  /** Milliseconds of CPU. */
  readonly ms: number
}

const HALF = 127
const CLEAR = 5
const OPAQUE = 250

export async function score({ jpeg, alpha, subject, backdrop, studio }: Composite): Promise<Score> {
  const before = process.cpuUsage()
  const { data, confidence } = await removeBackground(sharp(jpeg))
  const { user, system } = process.cpuUsage(before)
  let both = 0
  let either = 0
  let error = 0
  let mixedPixels = 0
  for (const [pixel, trueAlpha] of alpha.entries()) {
    const ownAlpha = data[pixel * 4 + 3] ?? 0
    if (ownAlpha > HALF && trueAlpha > HALF) both++
    if (ownAlpha > HALF || trueAlpha > HALF) either++
    if (trueAlpha <= CLEAR || trueAlpha >= OPAQUE) continue
    error += Math.abs(ownAlpha - trueAlpha) / 255
    mixedPixels++
  }
  const ms = (user + system) / 1000
  return {
    subject,
    backdrop,
    studio,
    confidence,
    overlap: either ? both / either : 0,
    mixedError: mixedPixels ? error / mixedPixels : 0,
    ms,
  }
}
