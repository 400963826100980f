import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { under } from '@pixelmill/codecs/hdr/placement'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { z } from 'zod'
import { fadeMark, opacityOf, overlayOf, turnMark } from '../../image/place-mark.ts'
import { type RawPixels, readWatermark } from '../../image/read-watermark.ts'
import { fontNames, textMark, weights } from '../../image/text-mark.ts'
import { choice, colour, number } from '../fields.ts'
import { type PlaceName, places } from '../mark-places.ts'
import { type Context, defineStep } from '../step.ts'

const names = Object.keys(places) as [PlaceName, ...PlaceName[]]

export const opacity = number(limits.opacity, 'Percent; multiplies the transparency that the watermark has.')
export const scale = number(limits.scale, 'Watermark width as a fraction of the base width.')

/** Line breaks are the only control characters of a text. */
const CONTROL = /[\p{Cc}\p{Cs}]/u

const text = z
  .string()
  .normalize('NFC')
  .refine((words) => !CONTROL.test(words.replaceAll('\n', '')), 'Must have no control characters but line breaks.')
  .refine((words) => words.trim() !== '', 'Must not be blank.')
  .refine((words) => [...words].length <= limits.watermark.text, `Must have at most ${limits.watermark.text} characters.`)

/** How colours are mixed, by the names of CSS, which sharp, imgix and Cloudinary share. */
const blends = ['over', 'multiply', 'screen', 'overlay', 'darken', 'lighten', 'difference'] as const

/** Parameters that only a text has. */
const ofText = ['color', 'stroke', 'font', 'weight'] as const

const params = z
  .strictObject({
    image: z.string().describe('Name of the file part that has the watermark.').optional(),
    text: text.describe('In place of an image: a text, in the scripts that the font DejaVu has.').optional(),
    position: choice(names, 'Side or corner of the base, or its centre.').default('bottom-right'),
    margin: number(limits.watermark.margin, 'Distance from the edges, as a fraction of the base’s shorter side.').default(0),
    opacity: opacity.default(50),
    scale: scale.default(0.25),
    scaleBy: choice(
      ['width', 'box'],
      'What scale is a fraction of: by default the base’s width; with box the watermark also fits into that fraction of its height.',
    ).optional(),
    angle: number(limits.rotate, 'Degrees clockwise.').default(0),
    tile: z.boolean().default(false).describe('Repeats the watermark over all of the base.'),
    spacing: number(limits.watermark.spacing, 'Between repetitions, as a fraction of the watermark’s width.').default(
      limits.watermark.spacing.default,
    ),
    blend: choice(blends, 'How its colours are mixed with those below; by default over.').optional(),
    color: colour('Of a text.').optional(),
    stroke: colour('Of a text’s outline; without it there is none.').optional(),
    font: choice(fontNames, 'Of a text; by default sans.').optional(),
    weight: choice(weights, 'Of a text; by default normal.').optional(),
  })
  .superRefine((params, context) => {
    const at = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    if (params.image === undefined && params.text === undefined) at('image', 'Is needed, or text.')
    if (params.image !== undefined && params.text !== undefined) at('text', 'Must be sent without image.')
    if (params.text === undefined) for (const name of ofText) if (params[name] !== undefined) at(name, 'Is for a text only.')
  })

/**
 * Seconds of a core for a megapixel of the base, for one of the largest mark that its scale allows, and for a character of a text.
 * Decoding a file is counted apart.
 */
const LAYING = 0.03
const DRAWING = 0.09
const MEASURING = 0.0002

export const watermark = defineStep({
  label: 'Text',
  summary: 'Overlay an image or a text on every frame; of an animated watermark the first frame is used.',
  params,
  example: { text: '© Your name' },
  action: { action: 'c2pa.edited', description: 'A visible watermark was added.' },
  files: ({ image }) => (image === undefined ? {} : { image }),
  lengths: {},
  plan: (before) => ({ ...before, grey: false }),
  seconds: (before, _after, { scale, text = '' }) => (LAYING + DRAWING * scale) * before + MEASURING * text.length,
  from: 'decoded',
  to: () => 'finished',
  async apply({ pixels, frames, canvas }, { angle, blend = 'over', ...params }, { after, deep, file }) {
    const share = (side: number) => Math.max(1, Math.round(side * params.scale))
    const box = { width: share(after.width), height: params.scaleBy === 'box' ? share(after.height) : after.height }
    const mark = await turnMark(await markOf(params, box, file), angle, after)
    // Compositing gives 8 bits unless the working space has 16.
    const base = deep ? pixels.pipelineColourspace('rgb16') : pixels
    const overlay = await overlayOf(mark, after, frames, params)
    return { pixels: base.composite([{ ...overlay, blend }]), placement: under(canvas, opacityOf(overlay)) }
  },
})

type Mark = Pick<z.output<typeof params>, 'image' | 'text' | 'opacity' | (typeof ofText)[number]>

/** @throws ImageError what is wrong with the image, invalid_params for a text of which nothing is visible */
async function markOf(
  { image, text = '', opacity, color = '#ffffffff', stroke, font = 'sans', weight = 'normal' }: Mark,
  box: Size,
  file: Context['file'],
): Promise<RawPixels> {
  if (image !== undefined) return readWatermark(file(image), image, box, opacity / 100)
  const mark = await textMark(text, { font, weight, color, stroke }, box)
  if (!mark) throw invalidParam('text', 'custom', 'Must have visible characters.')
  return fadeMark(mark, opacity / 100)
}
