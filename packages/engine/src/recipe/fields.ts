import { codecs } from '@pixelmill/codecs'
import { type Codec, efforts } from '@pixelmill/codecs/codec'
import { component } from '@pixelmill/codecs/contract/component'
import type { Issue } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type FormatName, formatAliases } from '@pixelmill/codecs/image-formats'
import { fits } from '@pixelmill/codecs/pixels/size'
import { z } from 'zod'
import { compass } from '../image/compass.ts'

const DECIMAL = /^\s*[+-]?\d+(\.\d+)?\s*$/

/** Form fields are text: only plain decimals count as numbers, not '1e9', '0x10', 'NaN' or other input that Number() accepts. */
const decimal = (value: unknown): unknown => (typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value)

/** In the OpenAPI document, for a number that is rounded to an integer. */
export const ROUNDED = 'x-rounded'

interface Range {
  readonly min: number
  readonly max: number
}

const tooSmall = ({ min }: Range) => `Must be at least ${min}.`
const tooBig = ({ max }: Range) => `Must be at most ${max}.`

export const number = (range: Range, description: string) =>
  z
    .preprocess(decimal, z.number('Must be a number.').min(range.min, tooSmall(range)).max(range.max, tooBig(range)))
    .meta({ description })

/** Pixels and quality: within the range, decimals are rounded to the nearest integer. */
export const integer = (range: Range, description: string) =>
  z
    .preprocess(
      decimal,
      z.number('Must be a number.').min(range.min, tooSmall(range)).max(range.max, tooBig(range)).overwrite(Math.round),
    )
    .meta({ description, [ROUNDED]: true })

const flags: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

export const boolean = (description: string) =>
  z
    .preprocess(
      // In any case: generated clients send their language's spelling, such as Python's True.
      (value) => (typeof value === 'string' ? (flags.get(value.trim().toLowerCase()) ?? value) : value),
      z.boolean('Must be true, false, 1 or 0.'),
    )
    .meta({ description })

export const choice = <const Options extends readonly [string, ...string[]]>(options: Options, description: string) =>
  z
    .preprocess(
      (value) => (typeof value === 'string' ? value.trim() : value),
      z.enum(options, `Must be one of ${options.join(', ')}.`),
    )
    .meta({ description })

/** A format by its name, in any case; `jpg` and `tif` are aliases. */
export const format = <const Options extends readonly [string, ...string[]]>(options: Options, description: string) => {
  const byName = choice(options, description)
  return z
    .preprocess((value) => {
      if (typeof value !== 'string') return value
      const name = value.trim().toLowerCase()
      return formatAliases.get(name) ?? name
    }, byName)
    .meta({ description })
}

export const side = (description: string) => integer(limits.side, description)
export const fit = choice(
  fits,
  'How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.',
).meta(component('Fit'))
export const quality = (description: string) => integer(limits.quality, description)

const COLOUR = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const OPAQUE_COLOUR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i

/** In lower case, with two digits for each channel. */
function wholeColour(text: string): string {
  const digits = text.slice(1).toLowerCase()
  return `#${digits.length <= 4 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}

/** A colour as in CSS, with or without transparency. */
export const colour = (description: string) =>
  z
    .string()
    .trim()
    .regex(COLOUR, 'Must be a colour as #rgb, #rgba, #rrggbb or #rrggbbaa.')
    .overwrite(wholeColour)
    .meta({ description })

export const opaqueColour = (description: string) =>
  z.string().trim().regex(OPAQUE_COLOUR, 'Must be a colour as #rgb or #rrggbb.').overwrite(wholeColour).meta({ description })

const RADIUS = /^(?:max|(?:100(?:\.0+)?|\d{1,2}(?:\.\d+)?)%)$/

/** A radius of corners: pixels, a share of the picture's shorter side as `20%`, or `max`. */
export const radius = (description: string) =>
  z
    .preprocess(
      (value) => decimal(typeof value === 'string' ? value.trim() : value),
      z.union([z.number().min(limits.radius.min).max(limits.radius.max), z.string().regex(RADIUS)], {
        error: `Must be pixels from ${limits.radius.min} to ${limits.radius.max}, a percentage such as 20%, or max.`,
      }),
    )
    .meta({ description })

const share = z.number('Must be a number.').min(0, 'Must be at least 0.').max(1, 'Must be at most 1.')

/** `0.3,0.6` in forms and URLs. */
const POINT = /^(0(?:\.\d+)?|1(?:\.0+)?)\s*,\s*(0(?:\.\d+)?|1(?:\.0+)?)$/

const gravityNames = [...(Object.keys(compass) as (keyof typeof compass)[]), 'subject'] as const

export const gravity = (description: string) =>
  z
    .preprocess(
      (value) => {
        const [, x, y] = typeof value === 'string' ? (POINT.exec(value.trim()) ?? []) : []
        if (x !== undefined) return { x: Number(x), y: Number(y) }
        return typeof value === 'string' ? value.trim() : value
      },
      z.union(
        [z.enum(gravityNames).meta(component('Gravity')), z.strictObject({ x: share, y: share }).meta(component('Point'))],
        {
          error: `Must be one of ${gravityNames.join(', ')}, or a point such as {"x": 0.3, "y": 0.6}, in forms 0.3,0.6.`,
        },
      ),
    )
    .meta({ description })

const titles = (has: (codec: Codec) => boolean) =>
  Object.values<Codec>(codecs)
    .filter(has)
    .map(({ title }) => title)
    .join(', ')
const SCORED = titles(({ levels }) => levels?.scores !== undefined)
const SIZED = titles(({ levels }) => levels !== undefined)

/** What the answer is to reach, beside or instead of `quality`. */
export const target = {
  visualQuality: number(
    limits.visualQuality,
    `Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of ${SCORED}.`,
  ).optional(),
  maxBytes: integer(
    limits.maxBytes,
    `The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of ${SIZED}.`,
  ).optional(),
}

/** How long the encoder may look for fewer bytes. */
export const effortField = {
  effort: choice(
    efforts,
    `How much CPU may be spent on fewer bytes: fast, balanced, or small, which takes up to fifteen times as long. Of ${titles(({ cost }) => cost.fast !== undefined || cost.small !== undefined)}.`,
  )
    .optional()
    .meta({ default: 'balanced' }),
}

/** What an output may be asked to reach. */
export interface Target {
  readonly quality?: number | undefined
  readonly visualQuality?: number | undefined
  readonly maxBytes?: number | undefined
}

/** Whether the answer has to reach a score or a number of bytes. */
export const hasTarget = ({ visualQuality, maxBytes }: Target): boolean => visualQuality !== undefined || maxBytes !== undefined

/** Why what is asked cannot be asked together, of any format; undefined if it can. */
export const togetherIssue = ({ quality, visualQuality }: Target): Issue | undefined =>
  visualQuality !== undefined && quality !== undefined
    ? { path: ['visualQuality'], code: 'custom', message: 'Must be sent without quality: it says the same in another unit.' }
    : undefined

/** Why what is asked cannot be asked together, or not of this format; undefined if it can. */
export function targetIssue({ quality, visualQuality, maxBytes }: Target, codec: Codec): Issue | undefined {
  const together = togetherIssue({ quality, visualQuality })
  if (together) return together
  if (visualQuality !== undefined && !codec.levels?.scores)
    return { path: ['visualQuality'], code: 'custom', message: `Is for ${SCORED}, not for ${codec.title}.` }
  if (maxBytes !== undefined && !codec.levels)
    return { path: ['maxBytes'], code: 'custom', message: `Is for ${SIZED}, not for ${codec.title}.` }
  return undefined
}

/** As targetIssue, of the format best, which is one that has scores if a score is asked for. */
export const bestIssue = (target: Target): Issue | undefined => targetIssue(target, codecs.jpeg)

/** A refinement of forms in which the format is a field. */
export function checkTarget(target: Target & { readonly format: FormatName | 'best' }, context: z.core.$RefinementCtx): void {
  const issue = target.format === 'best' ? bestIssue(target) : targetIssue(target, codecs[target.format])
  if (issue) context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message })
}

const metadataPolicies = ['none', 'copyright', 'all', 'all+gps'] as const

/** What an output carries beside its pixels. */
export const carriedFields = {
  metadata: choice(
    metadataPolicies,
    'none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.',
  )
    .meta(component('MetadataPolicy'))
    .default('none'),
  icc: choice(['srgb', 'keep'], 'srgb converts the colours; keep leaves them as they are, with the ICC profile.')
    .meta(component('IccPolicy'))
    .default('srgb'),
  hdr: choice(['keep', 'drop'], 'Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.')
    .meta(component('HdrPolicy'))
    .default('keep'),
}

export type MetadataPolicy = (typeof metadataPolicies)[number]
