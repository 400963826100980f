import { limits } from '@pixelmill/codecs/contract/limits'
import { targetFormats } from '@pixelmill/codecs/image-formats'
import { z } from 'zod'
import { boolean, carriedFields, checkTarget, effortField, fit, format, number, quality, side, target } from '../recipe/fields.ts'
import { covers } from '../recipe/steps/resize.ts'
import { defineOperation, oneOutput } from './operation.ts'

/** Rotates, then fits, so that width and height are those of the result; then blurs and converts to grey. */
export const convert = defineOperation({
  summary: 'Convert and compress an image.',
  description:
    'Animated GIF and WebP stay animated in WebP; in other formats the first frame is used. Colours are converted to sRGB, EXIF orientation is applied, metadata is removed. Transparency becomes white in JPEG.',
  params: z
    .object({
      format: format(
        [...targetFormats, 'best'],
        'Output format; jpg is taken as jpeg. best has the fewest bytes at the same score among these, as far as the header Accept allows them.',
      ).default('webp'),
      quality: quality('The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.')
        .optional()
        .meta({ default: limits.quality.default }),
      ...target,
      ...effortField,
      ...carriedFields,
      width: side('Output width in pixels; alone, the aspect ratio is kept.').optional(),
      height: side('Output height in pixels; alone, the aspect ratio is kept.').optional(),
      fit: fit.default('inside'),
      gravity: covers.default('center'),
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
  recipe({ width, height, fit, gravity, grayscale, blur, rotate, ...output }) {
    const resizes = width !== undefined || height !== undefined
    return oneOutput(
      [
        ...(rotate % 360 === 0 ? [] : [{ name: 'rotate', params: { angle: rotate } } as const]),
        ...(resizes ? [{ name: 'resize', params: { width, height, fit, gravity, enlarge: true } } as const] : []),
        ...(blur === undefined ? [] : [{ name: 'blur', params: { sigma: blur } } as const]),
        ...(grayscale ? [{ name: 'grayscale', params: {} } as const] : []),
      ],
      output,
    )
  },
})
