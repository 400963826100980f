import { limits } from '@pixelmill/codecs/contract/limits'
import { editFrames } from '@pixelmill/codecs/pixels/rotate'
import type { Sharp } from 'sharp'
import { z } from 'zod'
import { number } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds a megapixel and pixel of sigma. */
const BLURRING = 0.001

export const blur = defineStep({
  label: 'Blur',
  summary: 'Blur the picture.',
  params: z.strictObject({ sigma: number(limits.blur, 'Sigma of the Gaussian, in pixels.') }),
  example: { sigma: 2 },
  action: { action: 'c2pa.filtered' },
  lengths: { sigma: 'any' },
  plan: (before) => before,
  seconds: (_before, after, { sigma }) => BLURRING * sigma * after,
  from: 'sized',
  to: () => 'blurred',
  apply: (picture, { sigma }) => editFrames(picture, (frame) => blurFrame(frame, sigma)),
})

/** Below this sigma libvips does not blur: it truncates its Gaussian at a fifth of its height. */
const FINE_BLUR = 0.56
/** Variance of libvips' kernel at FINE_BLUR, measured at an edge: a smaller sigma must not blur more. */
const MOST_FINE_VARIANCE = 0.288

/** A Gaussian of `sigma` pixels; a small one is a kernel of three taps with variance sigma². */
function blurFrame(frame: Sharp, sigma: number): Sharp {
  if (sigma >= FINE_BLUR) return frame.blur(sigma)
  const beside = Math.min(sigma ** 2, MOST_FINE_VARIANCE) / 2
  const taps = [beside, 1 - 2 * beside, beside]
  return frame.convolve({ width: 3, height: 3, kernel: taps.flatMap((down) => taps.map((across) => down * across)), scale: 1 })
}

/** Seconds a megapixel, and in addition with each pixel of sigma. */
const SHARPENING = 0.045
const WIDELY = 0.008

/** Unsharp masking of brightness; where it changes little by nature, half as much, so that noise is not raised. */
export const sharpen = defineStep({
  label: 'Sharpen',
  summary: 'Sharpen the picture.',
  params: z.strictObject({
    sigma: number(limits.sharpen.sigma, 'Sigma of the mask, in pixels.').default(limits.sharpen.sigma.default),
    amount: number(limits.sharpen.amount, 'How strongly: 1 is usual.').default(limits.sharpen.amount.default),
  }),
  example: { amount: 2 },
  action: { action: 'c2pa.enhanced' },
  lengths: { sigma: 'any' },
  plan: (before) => before,
  seconds: (_before, after, { sigma }) => (SHARPENING + WIDELY * sigma) * after,
  from: 'decoded',
  to: () => 'finished',
  apply: (picture, { sigma, amount }) => editFrames(picture, (frame) => frame.sharpen({ sigma, m1: amount, m2: 2 * amount })),
})

export const grayscale = defineStep({
  label: 'Shades of grey',
  summary: 'Convert the picture to shades of grey.',
  params: z.strictObject({}),
  example: {},
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => ({ ...before, grey: true }),
  from: 'blurred',
  to: () => 'grey',
  apply: ({ pixels }) => pixels.grayscale(),
})
