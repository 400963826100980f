import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { inColour } from '../background.ts'
import { integer, number, opaqueColour } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds of a core for a megapixel that is converted to Lab and back. */
const CONVERTING = 0.09

export const tint = defineStep({
  label: 'Tint',
  summary: 'Give the picture one hue and chroma: each pixel keeps its lightness, and takes the rest from a colour.',
  params: z.strictObject({ color: opaqueColour('What it is tinted with.') }),
  example: { color: '#704214' },
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => ({ ...before, grey: false }),
  seconds: (before) => CONVERTING * before,
  from: 'decoded',
  to: () => 'finished',
  apply: async (picture, { color }) => (await inColour(picture)).tint(color),
})

export const modulate = defineStep({
  label: 'Brightness and colour',
  summary: 'Change brightness, saturation, hue or lightness, in the colour space CIE LCh.',
  params: z
    .strictObject({
      brightness: number(limits.modulate.factor, 'Multiplies the lightness: 1 changes nothing.').optional(),
      saturation: number(limits.modulate.factor, 'Multiplies the chroma: 0 gives shades of grey.').optional(),
      hue: integer(limits.modulate.hue, 'Degrees by which hues are turned.').optional(),
      lightness: number(limits.modulate.lightness, 'Added to the lightness, which is 0 to 100.').optional(),
    })
    .refine((values) => Object.values(values).some((value) => value !== undefined), {
      error: 'Needs brightness, saturation, hue or lightness.',
    }),
  example: { saturation: 1.5 },
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => before,
  seconds: (before) => CONVERTING * before,
  from: 'decoded',
  to: () => 'finished',
  async apply(picture, { brightness = 1, saturation = 1, hue = 0, lightness = 0 }) {
    return (await inColour(picture)).modulate({ brightness, saturation, hue, lightness })
  },
})
