import { z } from 'zod'
import { ApiError, type Issue } from '../contract/api-error.ts'
import { limits } from '../contract/limits.ts'
import type { Size } from '../image/size.ts'
import { integer } from './fields.ts'
import { encodeSameFormat } from './plan.ts'
import { defineOperation } from './task.ts'

interface Region extends Size {
  readonly x: number
  readonly y: number
}

/** libvips would only notice a region outside the image while encoding, when it looks like an internal error. */
function checkInside(source: Size, { x, y, width, height }: Region): void {
  const real = `the image is ${source.width} × ${source.height}`
  const across: Issue = { path: ['width'], code: 'too_big', message: `x + width must be at most ${source.width}; ${real}.` }
  const down: Issue = { path: ['height'], code: 'too_big', message: `y + height must be at most ${source.height}; ${real}.` }
  const issues = [...(x + width > source.width ? [across] : []), ...(y + height > source.height ? [down] : [])]
  if (issues.length > 0) throw new ApiError('invalid_params', { issues, message: issues.map(({ message }) => message).join(' ') })
}

const offset = (description: string) => integer({ min: 0, max: limits.pixels }, description)

export const crop = defineOperation({
  summary: 'Extract a rectangular region.',
  description: 'Offsets count from the top-left corner of the image as displayed, after EXIF orientation. The format is kept.',
  params: z.object({
    x: offset('Horizontal offset of the top-left corner, in pixels.'),
    y: offset('Vertical offset of the top-left corner, in pixels.'),
    width: integer({ min: 1, max: limits.pixels }, 'Region width in pixels.'),
    height: integer({ min: 1, max: limits.pixels }, 'Region height in pixels.'),
  }),
  files: ['image'],
  stem: 'cropped',
  plan(source, params) {
    checkInside(source, params)
    return { codec: source.codec, alpha: source.alpha, width: params.width, height: params.height }
  },
  render(image, { x, y, width, height }, plan) {
    return encodeSameFormat(image, image.pixels.extract({ left: x, top: y, width, height }), plan)
  },
})
