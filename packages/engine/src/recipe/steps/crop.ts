import { ImageError, type Issue } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { cutPlacement } from '@pixelmill/codecs/hdr/placement'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { z } from 'zod'
import { windowAt } from '../../image/gravity.ts'
import { gravity, integer } from '../fields.ts'
import { firstFrame } from '../settle.ts'
import { defineStep } from '../step.ts'

const offset = (description: string) => integer({ min: 0, max: limits.pixels }, description)

/** The parameters of a region, in pixels from the top-left corner. */
export const region = {
  x: offset('Horizontal offset of the top-left corner, in pixels.'),
  y: offset('Vertical offset of the top-left corner, in pixels.'),
  width: integer({ min: 1, max: limits.pixels }, 'Region width in pixels.'),
  height: integer({ min: 1, max: limits.pixels }, 'Region height in pixels.'),
}

/** Seconds of a core for a megapixel of a picture whose subject is sought, on a core of an AMD EPYC (2 GHz). */
export const SEEKING = 0.08

export const crop = defineStep({
  label: 'Crop',
  summary: 'Extract a rectangular region of the picture as displayed: at x and y, or by gravity.',
  params: z
    .strictObject({
      ...region,
      x: region.x.optional(),
      y: region.y.optional(),
      gravity: gravity('Which part is kept, where x and y are left out; by default center.').optional(),
    })
    .superRefine(({ x, y, gravity }, context) => {
      const at = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
      if (x === undefined && y !== undefined) at('x', 'Is needed beside y.')
      if (y === undefined && x !== undefined) at('y', 'Is needed beside x.')
      if (gravity !== undefined && x !== undefined) at('gravity', 'Must be sent without x and y.')
    })
    .overwrite((params) => (params.x === undefined ? { ...params, gravity: params.gravity ?? 'center' } : params)),
  example: { x: 10, y: 5, width: 60, height: 40 },
  action: { action: 'c2pa.cropped' },
  lengths: { x: 'whole', y: 'whole', width: 'whole', height: 'whole' },
  plan(before, { x = 0, y = 0, width, height }) {
    checkInside(before, { x, y, width, height })
    return { ...before, width, height }
  },
  seconds: (before, _after, { gravity }) => (gravity === 'subject' ? SEEKING * before : 0),
  from: 'decoded',
  to: () => 'placed',
  async apply(picture, { x, y, width, height, gravity = 'center' }) {
    const { pixels, canvas } = picture
    const isPlaced = x !== undefined && y !== undefined
    const corner = isPlaced ? { left: x, top: y } : await windowAt(canvas, { width, height }, gravity, () => firstFrame(picture))
    return { pixels: pixels.extract({ ...corner, width, height }), placement: cutPlacement(canvas, corner) }
  },
})

/** libvips would only notice a region outside the image while encoding, when it looks like an internal error. */
function checkInside(source: Size, { x, y, width, height }: Size & { readonly x: number; readonly y: number }): void {
  const real = `the image is ${source.width} × ${source.height}`
  const across: Issue = { path: ['width'], code: 'too_big', message: `x + width must be at most ${source.width}; ${real}.` }
  const down: Issue = { path: ['height'], code: 'too_big', message: `y + height must be at most ${source.height}; ${real}.` }
  const issues = [...(x + width > source.width ? [across] : []), ...(y + height > source.height ? [down] : [])]
  if (issues.length > 0)
    throw new ImageError('invalid_params', { issues, message: issues.map(({ message }) => message).join(' ') })
}
