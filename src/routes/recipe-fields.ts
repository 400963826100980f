import { z } from 'zod'
import { findPreset, presetName } from '../accounts/presets.ts'
import { invalidParam } from '../contract/api-error.ts'
import { parseFields, parseJson } from '../contract/parse.ts'
import type { Call } from '../http/route.ts'
import { type Recipe, recipeSchema } from '../recipe/recipe.ts'

/** The fields of a form with a recipe, or the name of one. */
export const recipeFields = {
  recipe: z
    .string()
    .optional()
    .meta({
      description: 'The recipe as JSON, as the schema Recipe describes it.',
      contentMediaType: 'application/json',
      contentSchema: { $ref: '#/components/schemas/Recipe' },
    }),
  preset: presetName.optional().describe('Name of a preset of the account, in place of recipe.'),
}

const fields = z.object(recipeFields)

/**
 * The recipe of a form; undefined if it has none.
 * @throws ApiError invalid_params, preset_not_found
 */
export async function recipeOf({
  form,
  visitor,
  services,
}: Pick<Call, 'form' | 'visitor' | 'services'>): Promise<Recipe | undefined> {
  const { recipe, preset } = parseFields(fields, form.fields)
  if (recipe !== undefined && preset !== undefined) throw invalidParam('preset', 'custom', 'Must be sent without recipe.')
  if (visitor.account === undefined) throw new Error('a recipe was admitted of no account')
  if (preset !== undefined) return findPreset(services.database.kysely, visitor.account, preset)
  return recipe === undefined ? undefined : parseJson(recipeSchema, parsedJson(recipe))
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidParam('recipe', 'invalid_format', `Must be JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
