import { limits } from '@pixelmill/codecs/contract/limits'
import { under } from '@pixelmill/codecs/hdr/placement'
import { mapColours, mapLevels, mapOpacity } from '@pixelmill/codecs/pixels/map-samples'
import { pixelate as levelBlocks } from '@pixelmill/codecs/pixels/pixelate'
import { z } from 'zod'
import { editStrip } from '../edit-strip.ts'
import { integer, number } from '../fields.ts'
import { defineStep } from '../step.ts'

/** Seconds of a core for a megapixel: of a table of levels, and of a sum over channels or blocks. */
const LOOKING_UP = 0.02
const SUMMING = 0.05

const IN_PLACE = { alpha: false } as const

/** The same, in the gain map of an HDR picture, would still show what is hidden: nothing of it is left. */
const withoutGain = (): number => 1

export const pixelate = defineStep({
  label: 'Pixelate',
  summary: 'Give each square block one colour, the mean of its pixels.',
  params: z.strictObject({ size: integer(limits.side, 'Side of a block in pixels; 1 changes nothing.') }),
  example: { size: 8 },
  action: { action: 'c2pa.filtered' },
  lengths: { size: 'whole' },
  plan: (before) => before,
  isNeutral: (_before, { size }) => size === 1,
  seconds: (before) => SUMMING * before,
  from: 'blurred',
  to: () => 'decoded',
  apply: async (picture, { size }) => ({
    pixels: await editStrip(picture, (strip) => levelBlocks(strip, size), IN_PLACE),
    ...(size > 1 && { placement: under(picture.canvas, withoutGain) }),
  }),
})

export const opacity = defineStep({
  label: 'Opacity',
  summary: 'Make the picture transparent to a degree.',
  params: z.strictObject({
    percent: number(limits.opacity, 'Multiplies the opacity; in formats without transparency the picture is shown on white.'),
  }),
  example: { percent: 50 },
  action: { action: 'c2pa.edited', description: 'The opacity was changed.' },
  lengths: {},
  plan: (before, { percent }) => ({ ...before, alpha: before.alpha || percent < 100 }),
  isNeutral: (_before, { percent }) => percent === 100,
  seconds: (before) => LOOKING_UP * before,
  from: 'blurred',
  to: () => 'decoded',
  apply: async (picture, { percent }, { after }) => ({
    pixels: await editStrip(picture, (strip) => mapOpacity(strip, percent / 100), after),
    placement: under(picture.canvas, () => 1 - percent / 100),
  }),
})

export const negate = defineStep({
  label: 'Negative',
  summary: 'Invert the colours.',
  params: z.strictObject({}),
  example: {},
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => before,
  seconds: (before) => LOOKING_UP * before,
  from: 'blurred',
  to: () => 'decoded',
  apply: async (picture) => ({
    pixels: await editStrip(picture, (strip) => mapLevels(strip, (level) => 1 - level), IN_PLACE),
    placement: under(picture.canvas, withoutGain),
  }),
})

export const contrast = defineStep({
  label: 'Contrast',
  summary: 'Move levels away from middle grey, or towards it.',
  params: z.strictObject({
    amount: number(
      limits.adjust,
      'Percent: 100 doubles the distance from middle grey, 0 changes nothing, -100 leaves grey alone.',
    ),
  }),
  example: { amount: 40 },
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => before,
  isNeutral: (_before, { amount }) => amount === 0,
  seconds: (before) => LOOKING_UP * before,
  from: 'blurred',
  to: () => 'decoded',
  apply: async (picture, { amount }) =>
    editStrip(picture, (strip) => mapLevels(strip, (level) => 0.5 + (level - 0.5) * (1 + amount / 100)), IN_PLACE),
})

export const gamma = defineStep({
  label: 'Gamma',
  summary: 'Brighten or darken the middle tones; black and white stay.',
  params: z.strictObject({
    gamma: number(limits.gamma, 'Levels are raised to the power 1/gamma: above 1 brightens, 1 changes nothing.'),
  }),
  example: { gamma: 1.5 },
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => before,
  isNeutral: (_before, params) => params.gamma === 1,
  seconds: (before) => LOOKING_UP * before,
  from: 'blurred',
  to: () => 'decoded',
  apply: async (picture, params) =>
    editStrip(picture, (strip) => mapLevels(strip, (level) => level ** (1 / params.gamma)), IN_PLACE),
})

export const sepia = defineStep({
  label: 'Sepia',
  summary: 'Tone the picture as an old photograph, by the matrix of the CSS filter.',
  params: z.strictObject({ amount: number(limits.opacity, 'Percent: 0 changes nothing.').default(limits.opacity.default) }),
  example: {},
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => ({ ...before, grey: false }),
  isNeutral: (_before, { amount }) => amount === 0,
  seconds: (before) => SUMMING * before,
  from: 'blurred',
  to: () => 'decoded',
  async apply(picture, { amount }) {
    const share = amount / 100
    return editStrip(
      picture,
      (strip) =>
        mapColours(strip, (red, green, blue) => [
          red + share * (0.393 * red + 0.769 * green + 0.189 * blue - red),
          green + share * (0.349 * red + 0.686 * green + 0.168 * blue - green),
          blue + share * (0.272 * red + 0.534 * green + 0.131 * blue - blue),
        ]),
      IN_PLACE,
    )
  },
})

export const vibrance = defineStep({
  label: 'Vibrance',
  summary: 'Change the saturation of dull colours more than that of vivid ones.',
  params: z.strictObject({ amount: number(limits.adjust, 'Percent, of a colour near grey: 0 changes nothing.') }),
  example: { amount: 60 },
  action: { action: 'c2pa.adjustedColor' },
  lengths: {},
  plan: (before) => before,
  isNeutral: (_before, { amount }) => amount === 0,
  seconds: (before) => SUMMING * before,
  from: 'blurred',
  to: () => 'decoded',
  async apply(picture, { amount }) {
    return editStrip(
      picture,
      (strip) =>
        mapColours(strip, (red, green, blue) => {
          const most = Math.max(red, green, blue)
          const vividness = most === 0 ? 0 : (most - Math.min(red, green, blue)) / most
          const factor = 1 + (amount / 100) * (1 - vividness)
          const luma = 0.2126 * red + 0.7152 * green + 0.0722 * blue
          return [luma + (red - luma) * factor, luma + (green - luma) * factor, luma + (blue - luma) * factor]
        }),
      IN_PLACE,
    )
  },
})
