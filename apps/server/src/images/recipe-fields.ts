import { type Issue, invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { parseFields, parseJson } from '@pixelmill/codecs/contract/parse'
import { fileReferences, type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { z } from 'zod'
import { findPreset, presetName } from '../accounts/presets.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Call, Upload } from '../http/route.ts'

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
  preset: presetName.optional().describe('Name of a preset of the account, or favicon, in place of recipe.'),
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
  return recipe === undefined ? undefined : parseJson(recipeSchema, parsedJson('recipe', recipe))
}

/** The files that the steps name. @throws ApiError invalid_params for one that was not sent, and for what no step names */
export function furtherFiles(
  { form: { files, unknown } }: Call,
  recipe: Parameters<typeof fileReferences>[0],
): readonly (readonly [string, Upload])[] {
  const references = fileReferences(recipe)
  const lacking = references
    .filter(({ name }) => !files.has(name))
    .map(({ name, path }): Issue => ({ path, code: 'custom', message: `The form has no file "${name}".` }))
  const wantedTexts = new Set(references.map(({ name }) => name))
  const others = [...unknown, ...files.keys()]
    .filter((name) => name !== 'image' && !wantedTexts.has(name))
    .map(
      (name): Issue => ({
        path: [name],
        code: 'unrecognized_keys',
        message: 'Is neither a field of this request nor named by a step.',
      }),
    )
  const issues = [...lacking, ...others]
  if (issues.length > 0)
    throw new ApiError('invalid_params', {
      issues,
      message: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '),
    })
  return [...wantedTexts].map((name) => [name, files.get(name) as Upload])
}

/** @throws ApiError invalid_params for a field that is not JSON */
export function parsedJson(field: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw invalidParam(field, 'invalid_format', `Must be JSON: ${error instanceof Error ? error.message : String(error)}.`)
  }
}
