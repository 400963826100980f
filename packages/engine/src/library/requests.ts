import { invalidParams } from '@pixelmill/codecs/contract/image-errors'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { z } from 'zod'
import { togetherIssue } from '../recipe/fields.ts'
import type { WorkRecipe } from '../recipe/plan.ts'
import { checkOutput, fileReferences, outputFormat, recipeSchema } from '../recipe/recipe.ts'
import { convert } from '../tasks/convert.ts'
import { type InfoField, infoFields } from '../tasks/info.ts'
import { optimize } from '../tasks/optimize.ts'

/** As POST /api/v1/convert, with every format that a recipe can write. */
export const convertOptions = z
  .strictObject({ ...convert.params.shape, format: outputFormat.default('same') })
  .superRefine(checkOutput)

/** What is done to a picture, and the names of the further files that it needs. */
interface Request {
  readonly recipe: WorkRecipe
  readonly files: readonly string[]
}

/** @throws ImageError invalid_params */
export function convertRequest(options: unknown): Request {
  const { format, ...params } = parseJson(convertOptions, options)
  const recipe = convert.recipe({ ...params, format: 'webp' })
  return { recipe: { ...recipe, outputs: recipe.outputs.map((output) => ({ ...output, format })) }, files: [] }
}

/** As POST /api/v1/optimize. */
export const optimizeOptions = z.strictObject(optimize.params.shape).superRefine((options, context) => {
  const issue = togetherIssue(options)
  if (issue) context.addIssue({ code: 'custom', path: [...issue.path], message: issue.message })
})

/** @throws ImageError invalid_params */
export const optimizeRequest = (options: unknown): Request => ({
  recipe: optimize.recipe(parseJson(optimizeOptions, options)),
  files: [],
})

/**
 * @param files names of the further files that the caller has
 * @throws ImageError invalid_params
 */
export function renderRequest(recipe: unknown, files: readonly string[]): Request {
  const checkedRecipe = parseJson(recipeSchema, recipe)
  const missing = fileReferences(checkedRecipe).filter(({ name }) => !files.includes(name))
  if (missing.length > 0)
    throw invalidParams(missing.map(({ name, path }) => ({ path, code: 'custom', message: `There is no file "${name}".` })))
  return { recipe: checkedRecipe, files }
}

const infoOptions = z.strictObject({ fields: z.array(z.enum(infoFields)).optional() })

/** Places are personal data: they are read only where they are asked for. @throws ImageError invalid_params */
export const infoRequest = (fields: unknown): InfoField[] =>
  parseJson(infoOptions, { fields }).fields ?? infoFields.filter((name) => name !== 'exif.gps')
