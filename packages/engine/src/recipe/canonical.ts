import { createHash } from 'node:crypto'
import { ENGINE } from '@pixelmill/codecs/contract/limits'
import { namedSteps, type Recipe } from './recipe.ts'

/** Identifies what a recipe means, in hexadecimal digits: the order of keys and defaults that are sent or not make no difference. */
export const recipeId = (recipe: Recipe): string => sha256(canonical(recipe))

/** The parsed recipe, with its defaults, as JSON with sorted keys and numbers as JavaScript prints them. */
export const canonical = (recipe: Recipe): string => JSON.stringify(sortKeys(recipe))

/**
 * Identifies the bytes of one output of one picture: the same picture, files, steps and encoder give the same id, whatever else the
 * recipe makes.
 * @param source SHA-256 of the picture's file, in hexadecimal digits
 * @param files SHA-256 of each further file, in the order in which the steps name them
 */
export function resultId(source: string, files: readonly string[], recipe: Recipe, index: number): string {
  const output = recipe.outputs[index]
  if (!output) throw new Error(`the recipe has no output ${index}`)
  const { name: _name, dpr, steps: own, ...rest } = output
  const steps = [...namedSteps(recipe.steps), ...namedSteps(own, dpr)]
  return sha256(JSON.stringify([source, files, sortKeys({ steps, ...rest }), ENGINE]))
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** With sorted keys at all levels; undefined values are left out, and -0 becomes 0. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (typeof value === 'number') return value + 0
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([key, each]) => [key, sortKeys(each)]),
  )
}
