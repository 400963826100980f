import { limits } from '@pixelmill/codecs/contract/limits'
import { under } from '@pixelmill/codecs/hdr/placement'
import { type LaidColour, layColour } from '@pixelmill/codecs/pixels/lay-colour'
import { roundedRectangle } from '@pixelmill/codecs/pixels/rounded-rectangle'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { z } from 'zod'
import { isGrey, isTransparent } from '../background.ts'
import { editStrip } from '../edit-strip.ts'
import { colour, integer, radius } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds of a core for a megapixel whose edges are drawn. */
const DRAWING = 0.06

export const roundCorners = defineStep({
  label: 'Round corners',
  summary: 'Cut the corners off along a circle.',
  params: z.strictObject({
    radius: radius('In pixels, in percent of the shorter side such as 20%, or max: half of the shorter side.'),
    background: colour('What the corners become; in formats without transparency it is shown on white.').default('#ffffff00'),
  }),
  example: { radius: 16 },
  action: { action: 'c2pa.edited', description: 'The corners were rounded.' },
  lengths: { radius: 'any' },
  plan: (before, { background }) => ({
    ...before,
    alpha: before.alpha || isTransparent(background),
    grey: before.grey && isGrey(background),
  }),
  isNeutral: (before, { radius }) => pixelsOf(radius, before) === 0,
  seconds: (before) => DRAWING * before,
  from: 'blurred',
  to: () => 'decoded',
  async apply(picture, { radius, background }, { after }) {
    const { canvas } = picture
    const insideAt = roundedRectangle(canvas, pixelsOf(radius, canvas))
    const rgba = shares(background)
    const pixels = await editStrip(
      picture,
      (strip) =>
        layColour(strip, rgba, (x, y, opacity) => {
          const inside = insideAt(x, y)
          return inside === 1 ? undefined : { colour: (1 - inside) * rgba[3], pixel: inside * opacity }
        }),
      after,
    )
    return { pixels, placement: under(canvas, (x, y) => 1 - insideAt(Math.floor(x), Math.floor(y))) }
  },
})

export const border = defineStep({
  label: 'Frame',
  summary: 'Draw a border inside the edges; the size stays. To add one outside, use extend.',
  params: z.strictObject({
    width: integer(limits.side, 'In pixels.'),
    color: colour('Its colour.').default('#000000'),
    radius: radius('Of its corners, as that of roundCorners; by default 0.').optional(),
  }),
  example: { width: 4 },
  action: { action: 'c2pa.edited', description: 'A border was drawn.' },
  lengths: { width: 'whole', radius: 'any' },
  plan: (before, { color }) => ({ ...before, grey: before.grey && isGrey(color) }),
  seconds: (before) => DRAWING * before,
  from: 'blurred',
  to: () => 'decoded',
  async apply(picture, { width, color, radius = 0 }) {
    const { canvas } = picture
    const corner = pixelsOf(radius, canvas)
    const insideAt = roundedRectangle(canvas, corner)
    const heldAt = roundedRectangle(canvas, corner, width)
    const rgba = shares(color)
    const coverAt = (x: number, y: number) => Math.max(0, insideAt(x, y) - heldAt(x, y)) * rgba[3]
    const pixels = await editStrip(
      picture,
      (strip) =>
        layColour(strip, rgba, (x, y, opacity) => {
          const cover = coverAt(x, y)
          return cover === 0 ? undefined : { colour: cover, pixel: (1 - cover) * opacity }
        }),
      { alpha: false },
    )
    return { pixels, placement: under(canvas, (x, y) => coverAt(Math.floor(x), Math.floor(y))) }
  },
})

/** A radius in pixels. */
function pixelsOf(radius: number | string, { width, height }: Size): number {
  const shorter = Math.min(width, height)
  if (typeof radius === 'number') return Math.min(radius, shorter / 2)
  return radius === 'max' ? shorter / 2 : (Math.min(50, Number.parseFloat(radius)) / 100) * shorter
}

/** A colour as fields.ts gives it. */
function shares(colour: string): LaidColour {
  const at = (index: number) => Number.parseInt(colour.slice(1 + 2 * index, 3 + 2 * index) || 'ff', 16) / 255
  return [at(0), at(1), at(2), at(3)]
}
