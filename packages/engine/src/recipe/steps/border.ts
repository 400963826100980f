import { limits } from '@pixelmill/codecs/contract/limits'
import { borderPlacement, cutPlacement } from '@pixelmill/codecs/hdr/placement'
import { editFrames } from '@pixelmill/codecs/pixels/rotate'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { trimBox } from '@pixelmill/codecs/pixels/trim'
import { z } from 'zod'
import { inColour, isGrey, isTransparent } from '../background.ts'
import { colour, integer, number, opaqueColour } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds of a core for a megapixel that is looked at. */
const LOOKING = 0.02

/** What is left is only known from the pixels: the plan assumes all of the picture. */
export const trim = defineStep({
  label: 'Trim',
  summary: 'Remove a border of one colour, that of the top-left pixel.',
  params: z.strictObject({
    threshold: number(limits.trim, 'How much a channel may differ from the colour, in levels of 255.').default(
      limits.trim.default,
    ),
  }),
  example: { threshold: 60 },
  action: { action: 'c2pa.cropped' },
  lengths: {},
  plan: (before) => before,
  seconds: (before) => LOOKING * before,
  from: 'decoded',
  to: () => 'placed',
  async apply({ pixels, frames, header, canvas }, { threshold }) {
    const strip = await readStrip(pixels, frames, header.deep)
    const box = trimBox(strip, threshold)
    const { width, height } = box
    return { pixels: pipelineOf(strip).extract(box), width, height, placement: cutPlacement(canvas, box) }
  },
})

/** Seconds a megapixel of the result. */
const BORDERING = 0.01

const border = (where: string) => integer({ min: 0, max: limits.side.max }, `Pixels ${where}.`).default(0)

export const extend = defineStep({
  label: 'Add a border',
  summary: 'Add a border.',
  params: z.strictObject({
    top: border('above'),
    right: border('to the right'),
    bottom: border('below'),
    left: border('to the left'),
    background: colour('Its colour; in formats without transparency it is shown on white.').default('#ffffff00'),
  }),
  example: { top: 8, background: '#ffffff' },
  action: { action: 'c2pa.edited', description: 'A border was added.' },
  lengths: { top: 'whole', right: 'whole', bottom: 'whole', left: 'whole' },
  plan: (before, { top, right, bottom, left, background }) => ({
    width: before.width + left + right,
    height: before.height + top + bottom,
    alpha: before.alpha || isTransparent(background),
    grey: before.grey && isGrey(background),
  }),
  seconds: (_before, after) => BORDERING * after,
  from: 'decoded',
  to: () => 'finished',
  async apply(picture, { background, ...sides }) {
    const inColours = { ...picture, pixels: await inColour(picture) }
    const pixels = await editFrames(inColours, (frame) => frame.extend({ ...sides, background }))
    return { pixels, placement: borderPlacement(picture.canvas, sides) }
  },
})

export const background = defineStep({
  label: 'Fill transparency',
  summary: 'Show the picture on a colour, where it is transparent.',
  params: z.strictObject({ color: opaqueColour('What transparency becomes.') }),
  example: { color: '#ffffff' },
  action: { action: 'c2pa.edited', description: 'Transparency was filled.' },
  lengths: {},
  plan: (before, { color }) => ({ ...before, alpha: false, grey: before.grey && (!before.alpha || isGrey(color)) }),
  from: 'decoded',
  to: () => 'placed',
  apply: async (picture, { color }) => (await inColour(picture)).flatten({ background: color }),
})
