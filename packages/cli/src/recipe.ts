import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ENGINE } from '@pixelmill/codecs/contract/limits'
import { recipeId } from '@pixelmill/engine/recipe/canonical'
import { fileReferences, type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { systemCode } from './failure.ts'

/** A recipe with the further files that its steps name. */
export interface LoadedRecipe {
  readonly recipe: Recipe
  /** The files by the names that the steps have, in the order of the steps. */
  readonly files: ReadonlyMap<string, Buffer>
  /** SHA-256 of each further file, in hexadecimal digits. */
  readonly hashes: readonly string[]
  /** Changes when the results would: with the recipe, a further file, or the encoders of a release. */
  readonly version: string
}

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

/** Where the recipe of a command is: in flags, or in a file. */
export interface RecipeOptions extends RecipeFlags {
  readonly recipe?: string
  readonly preset?: string
}

/**
 * Reads the recipe that the options describe. Files that its steps name are looked for beside the recipe's file.
 * @throws InvalidArgumentError
 */
export async function loadRecipe({ recipe: file, preset, ...flags }: RecipeOptions): Promise<LoadedRecipe> {
  const path = file ?? preset
  if (file !== undefined && preset !== undefined) throw new InvalidArgumentError('--recipe and --preset exclude each other.')
  const hasFlags = Object.values(flags).some((value) => value !== undefined)
  if (path !== undefined && hasFlags)
    throw new InvalidArgumentError('--recipe and --preset say all that is done: leave out the other options of the recipe.')
  const recipe = path === undefined ? recipeOfFlags(flags) : await recipeFile(path)
  const folder = path === undefined ? '.' : dirname(path)
  const names = [...new Set(fileReferences(recipe).map(({ name }) => name))]
  const files = new Map(await Promise.all(names.map(async (name) => [name, await readInput(resolve(folder, name))] as const)))
  return ofRecipe(recipe, files)
}

/** @param files by the names that the steps have, in their order */
export function ofRecipe(recipe: Recipe, files: ReadonlyMap<string, Buffer>): LoadedRecipe {
  const hashes = [...files.values()].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  const version = createHash('sha256')
    .update(JSON.stringify([recipeId(recipe), hashes, ENGINE]))
    .digest('hex')
  return { recipe, files, hashes, version }
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

/** A preset as GET /api/user/presets has it. */
const presetFile = z.object({ recipe: z.unknown() })

/** A recipe, or a preset of an account with its recipe. */
async function recipeFile(path: string): Promise<Recipe> {
  let value: unknown
  try {
    value = JSON.parse((await readInput(path)).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw new InvalidArgumentError(`${path} is not JSON: ${error.message}`)
    throw error
  }
  const preset = presetFile.safeParse(value)
  const read = recipeSchema.safeParse(preset.success ? preset.data.recipe : value)
  if (read.success) return read.data
  const [issue] = read.error.issues
  const place = issue?.path.join('.') ?? ''
  throw new InvalidArgumentError(`${path} is not a recipe: ${place === '' ? '' : `${place}: `}${issue?.message}`)
}

async function readInput(path: string): Promise<Buffer> {
  try {
    return await readFile(path)
  } catch (error) {
    throw new InvalidArgumentError(`${path} cannot be read (${systemCode(error)}).`)
  }
}
