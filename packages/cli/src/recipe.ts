import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ownPresets } from '@pixelmill/engine/recipe/favicon'
import { fileReferences, type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { InvalidArgumentError } from 'commander'
import { z } from 'zod'
import { systemCode } from './failure.ts'
import type { Difference } from './files/result-name.ts'
import { flagsOf, type RecipeFlags, recipeOfFlags } from './recipe-flags.ts'
import { type LoadedRecipe, versionOf } from './work.ts'

/** Where the recipe of a command is: in flags, or in a file. */
export interface RecipeOptions extends RecipeFlags {
  readonly recipe?: string
  readonly preset?: string
}

/**
 * Reads the recipe that the options describe. Files that its steps name are looked for beside the recipe's file.
 * @param options others are left out
 * @throws InvalidArgumentError
 */
export async function loadRecipe(options: RecipeOptions): Promise<LoadedRecipe> {
  const { recipe: file, preset } = options
  const path = file ?? preset
  if (file !== undefined && preset !== undefined) throw new InvalidArgumentError('--recipe and --preset exclude each other.')
  const flags = flagsOf(options)
  if (path !== undefined && Object.keys(flags).length > 0)
    throw new InvalidArgumentError('--recipe and --preset say all that is done: leave out the other options of the recipe.')
  const ownPreset = preset === undefined ? undefined : ownPresets.get(preset)
  const recipe = ownPreset ?? (path === undefined ? recipeOfFlags(flags) : await recipeFile(path))
  const folder = path === undefined ? '.' : dirname(path)
  const names = [...new Set(fileReferences(recipe).map(({ name }) => name))]
  const files = new Map(await Promise.all(names.map(async (name) => [name, await readInput(resolve(folder, name))] as const)))
  return ofRecipe(recipe, files)
}

/** What tells the results of one image apart. */
export function differenceOf({ widths, recipe, preset }: RecipeOptions, { recipe: { outputs } }: LoadedRecipe): Difference {
  if (widths !== undefined) return 'width'
  if (outputs.length === 1) return 'none'
  return recipe === undefined && preset === undefined ? 'format' : 'output'
}

/** @param files by the names that the steps have, in their order */
export function ofRecipe(recipe: Recipe, files: ReadonlyMap<string, Buffer>): LoadedRecipe {
  const hashes = [...files.values()].map((bytes) => createHash('sha256').update(bytes).digest('hex'))
  return { recipe, files, hashes, version: versionOf(recipe, hashes) }
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
