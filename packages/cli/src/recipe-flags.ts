import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { InvalidArgumentError } from 'commander'
import { type OptionNames, optionFault } from './option-faults.ts'

/** The options of the command line that describe a recipe, as text. */
export interface RecipeFlags {
  readonly width?: string
  readonly height?: string
  /** Several widths, divided by commas. */
  readonly widths?: string
  readonly fit?: string
  readonly gravity?: string
  readonly enlarge?: boolean
  /** One format, or several divided by commas. */
  readonly format?: string
  readonly quality?: string
  readonly visualQuality?: string
  readonly maxBytes?: string
  readonly effort?: string
  readonly metadata?: string
}

/**
 * The recipe of one output for each format and width, which are made from one decoding. Nothing is enlarged unless that is asked for.
 * @throws InvalidArgumentError naming the option
 */
export function recipeOfFlags({ width, height, widths, fit, gravity, enlarge, format, ...output }: RecipeFlags): Recipe {
  const box = { width, height, fit, gravity }
  if (widths !== undefined && (width !== undefined || height !== undefined))
    throw new InvalidArgumentError('--widths has all widths, whose heights follow: leave out --width and --height.')
  const isResized = widths !== undefined || Object.values(box).some((value) => value !== undefined)
  if (enlarge && !isResized) throw new InvalidArgumentError('--enlarge is for --width, --height and --widths.')
  const resizeTo = (size: object) => ({ resize: { ...box, ...size, enlarge: enlarge === true } })
  const formats = valuesOf(format)
  const outputs = formats.flatMap((eachFormat) =>
    valuesOf(widths).map((eachWidth) => ({
      ...output,
      format: eachFormat,
      name: formats.length > 1 || widths !== undefined ? outputName(eachWidth, eachFormat) : undefined,
      steps: eachWidth === undefined ? [] : [resizeTo({ width: eachWidth })],
    })),
  )
  const read = recipeSchema.safeParse({ steps: isResized && widths === undefined ? [resizeTo({})] : [], outputs })
  if (read.success) return read.data
  throw optionFault(read.error, widths === undefined ? optionNames : { ...optionNames, width: '--widths' }, sizeOptions(widths))
}

/** The flags that were given, of options among which there may be others. */
export const flagsOf = (options: RecipeFlags): RecipeFlags =>
  Object.fromEntries(Object.entries(options).filter(([name, value]) => flagNames.has(name) && value !== undefined))

const outputName = (width: string | undefined, format: string | undefined): string =>
  [width, format].filter((part) => part !== undefined).join('-')

const sizeOptions = (widths: string | undefined): string => (widths === undefined ? '--width, --height' : '--widths, --format')

/** Each value of a list once; undefined alone where there is none. */
function valuesOf(text: string | undefined): readonly (string | undefined)[] {
  return text === undefined ? [undefined] : [...new Set(text.split(',').map((part) => part.trim()))]
}

const optionNames: OptionNames = {
  width: '--width',
  height: '--height',
  fit: '--fit',
  gravity: '--gravity',
  format: '--format',
  quality: '--quality',
  visualQuality: '--visual-quality',
  maxBytes: '--max-bytes',
  effort: '--effort',
  metadata: '--metadata',
}

const flagNames: ReadonlySet<string> = new Set([...Object.keys(optionNames), 'widths', 'enlarge'])
