import type { Sharp } from 'sharp'
import { z } from 'zod'
import { codecs } from '../codecs/index.ts'
import { limits } from '../contract/limits.ts'
import { encode } from '../image/encode.ts'
import { resize } from '../image/resize.ts'
import { editFrames, rotate } from '../image/rotate.ts'
import { fitted, rotated } from '../image/size.ts'
import { encodeToTarget } from '../image/to-target.ts'
import { targetFormats } from '../web/image-formats.ts'
import { boolean, checkTarget, fit, format, hasTarget, number, quality, side, target } from './fields.ts'
import { sameFormat } from './plan.ts'
import { defineOperation } from './task.ts'

/** Below this sigma libvips does not blur: it truncates its Gaussian at a fifth of its height. */
const FINE_BLUR = 0.56
/** Variance of libvips' kernel at FINE_BLUR, measured at an edge: a smaller sigma must not blur more. */
const MOST_FINE_VARIANCE = 0.288

/** A Gaussian of `sigma` pixels; a small one is a kernel of three taps with variance sigma². */
function blurred(frame: Sharp, sigma: number): Sharp {
  if (sigma >= FINE_BLUR) return frame.blur(sigma)
  const beside = Math.min(sigma ** 2, MOST_FINE_VARIANCE) / 2
  const taps = [beside, 1 - 2 * beside, beside]
  return frame.convolve({ width: 3, height: 3, kernel: taps.flatMap((down) => taps.map((across) => down * across)), scale: 1 })
}

/** Rotates, then fits, so that width and height are those of the result; then blurs and converts to grey. */
export const convert = defineOperation({
  summary: 'Convert and compress an image.',
  description:
    'Animated GIF and WebP stay animated in WebP; in other formats the first frame is used. Colours are converted to sRGB, EXIF orientation is applied, metadata is removed. Transparency becomes white in JPEG.',
  params: z
    .object({
      format: format(targetFormats, 'Output format; jpg is taken as jpeg.').default('webp'),
      quality: quality('The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.')
        .optional()
        .meta({ default: limits.quality.default }),
      ...target,
      width: side('Output width in pixels; alone, the aspect ratio is kept.').optional(),
      height: side('Output height in pixels; alone, the aspect ratio is kept.').optional(),
      fit: fit.default('inside'),
      grayscale: boolean('Convert to shades of grey.').default(false),
      blur: number(limits.blur, 'Blur radius: the sigma of a Gaussian, in output pixels.').optional(),
      rotate: number(
        limits.rotate,
        'Degrees clockwise. Except for multiples of 90, new corners are transparent, or white in JPEG.',
      ).default(0),
    })
    .superRefine(checkTarget),
  files: ['image'],
  stem: 'converted',
  plan: (source, params) => ({
    codec: codecs[params.format],
    alpha: source.alpha || params.rotate % 90 !== 0 || params.fit === 'contain',
    ...fitted(rotated(source, params.rotate), params),
  }),
  async render(image, params, plan) {
    const { blur, grayscale, quality } = params
    const background = plan.codec.alpha ? '#ffffff00' : '#ffffff'
    // With only one side given the ratio is kept, whatever the fit.
    const fit = params.width === undefined || params.height === undefined ? 'inside' : params.fit
    const box = { width: params.width, height: params.height, fit, background }
    const turned = params.rotate % 360 === 0 ? image.pixels : await editFrames(image, (frame) => rotate(frame, params.rotate))
    const sized = await resize({ ...image, pixels: turned }, box, rotated(image.header, params.rotate))
    const soft = blur === undefined ? sized : await editFrames({ ...image, pixels: sized }, (frame) => blurred(frame, blur))
    const pixels = grayscale ? soft.grayscale() : soft
    const grey = image.header.grey || grayscale
    const edited = { ...sameFormat(image, pixels, plan, quality), grey, keepDepth: false }
    return hasTarget(params) ? encodeToTarget(edited, params) : encode(edited)
  },
})
