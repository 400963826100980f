import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { fits } from '../image/size.ts'

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

/** Pixels and quality: within the range, decimals are rounded to the nearest integer (contract §2). */
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

/** File name extensions that clients send instead of format names. */
const formatAliases: ReadonlyMap<string, string> = new Map([
  ['jpg', 'jpeg'],
  ['tif', 'tiff'],
])

/** A format by its name; `jpg` and `tif` are aliases. */
export const format = <const Options extends readonly [string, ...string[]]>(options: Options, description: string) => {
  const named = choice(options, description)
  return z
    .preprocess((value) => (typeof value === 'string' ? (formatAliases.get(value.trim()) ?? value) : value), named)
    .meta({ description })
}

export const side = (description: string) => integer(limits.side, description)
export const fit = choice(
  fits,
  'How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.',
)
export const quality = (description: string) => integer(limits.quality, description)
