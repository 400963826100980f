import { InvalidArgumentError } from 'commander'
import { type Recipe, recipeSchema } from '../../recipe/recipe.ts'

/** The options of the command line that describe a recipe, as text. */
export interface RecipeFlags {
  readonly width?: string
  readonly height?: string
  readonly fit?: string
  readonly gravity?: string
  readonly format?: string
  readonly quality?: string
  readonly visualQuality?: string
  readonly maxBytes?: string
  readonly metadata?: string
}

/** The recipe of one output: a resize, if a size is given, and the format. @throws InvalidArgumentError naming the option */
export function recipeOfFlags({ width, height, fit, gravity, ...output }: RecipeFlags): Recipe {
  const resize = { width, height, fit, gravity }
  const isResized = Object.values(resize).some((value) => value !== undefined)
  const read = recipeSchema.safeParse({ steps: isResized ? [{ resize }] : [], outputs: [output] })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const name = issue?.path.findLast((part) => typeof part === 'string' && part in optionNames)
  const option = typeof name === 'string' ? optionNames[name as keyof RecipeFlags] : '--width, --height'
  throw new InvalidArgumentError(`${option}: ${issue?.message}`)
}

const optionNames: Readonly<Record<keyof RecipeFlags, string>> = {
  width: '--width',
  height: '--height',
  fit: '--fit',
  gravity: '--gravity',
  format: '--format',
  quality: '--quality',
  visualQuality: '--visual-quality',
  maxBytes: '--max-bytes',
  metadata: '--metadata',
}
