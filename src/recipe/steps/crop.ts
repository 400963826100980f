import { z } from 'zod'
import { ApiError, type Issue } from '../../contract/api-error.ts'
import { limits } from '../../contract/limits.ts'
import type { Size } from '../../image/size.ts'
import { integer } from '../fields.ts'
import { defineStep } from '../step.ts'

const offset = (description: string) => integer({ min: 0, max: limits.pixels }, description)

/** The parameters of a region, in pixels from the top-left corner. */
export const region = {
  x: offset('Horizontal offset of the top-left corner, in pixels.'),
  y: offset('Vertical offset of the top-left corner, in pixels.'),
  width: integer({ min: 1, max: limits.pixels }, 'Region width in pixels.'),
  height: integer({ min: 1, max: limits.pixels }, 'Region height in pixels.'),
}

export const crop = defineStep({
  summary: 'Extract a rectangular region of the picture as displayed.',
  params: z.strictObject(region),
  plan(before, params) {
    checkInside(before, params)
    return { ...before, width: params.width, height: params.height }
  },
  from: 'decoded',
  to: () => 'placed',
  apply: ({ pixels }, { x, y, width, height }) => pixels.extract({ left: x, top: y, width, height }),
})

/** libvips would only notice a region outside the image while encoding, when it looks like an internal error. */
function checkInside(source: Size, { x, y, width, height }: Size & { readonly x: number; readonly y: number }): void {
  const real = `the image is ${source.width} × ${source.height}`
  const across: Issue = { path: ['width'], code: 'too_big', message: `x + width must be at most ${source.width}; ${real}.` }
  const down: Issue = { path: ['height'], code: 'too_big', message: `y + height must be at most ${source.height}; ${real}.` }
  const issues = [...(x + width > source.width ? [across] : []), ...(y + height > source.height ? [down] : [])]
  if (issues.length > 0) throw new ApiError('invalid_params', { issues, message: issues.map(({ message }) => message).join(' ') })
}
