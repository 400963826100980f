import { acceptedFormat, codecs } from '@pixelmill/codecs'
import { acceptedBy } from '@pixelmill/codecs/accept'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseFields, parseJson } from '@pixelmill/codecs/contract/parse'
import { integer } from '@pixelmill/engine/recipe/fields'
import type { WorkRecipe } from '@pixelmill/engine/recipe/plan'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { type OperationName, operations } from '@pixelmill/engine/tasks/index'
import type { Operation } from '@pixelmill/engine/tasks/operation'
import { writtenImage } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { loginOf } from '../http/caller.ts'
import { imageHeaders, imageReply, readingHeaderTexts } from '../http/reply.ts'
import { type Call, defineRoute } from '../http/route.ts'
import { furtherFiles, parsedJson, recipeFields } from './recipe-fields.ts'

const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]]

const fields = z.object({
  pictureWidth: integer({ min: 1, max: limits.pixels }, 'Width of the whole picture in pixels.'),
  operation: z.enum(operationNames).optional().describe('An image operation, in place of recipe.'),
  params: z.string().default('{}').describe('The fields of the operation, as a JSON object.'),
  recipe: recipeFields.recipe,
})

/** POST /api/user/previews: how a result will look, from a small copy of the picture. */
export const previews = defineRoute({
  method: 'POST',
  path: '/api/user/previews',
  name: 'makePreview',
  tag: 'Recipes',
  summary: 'Show how a result will look, from a small copy of the picture, free of charge.',
  description:
    `The image is a copy of at most ${limits.preview.pixels / 1e6} megapixels, and so is its preview: sizes in pixels are scaled to the copy. ` +
    'It costs no call; it counts as a request that only reads, and an account has at most two at once and PREVIEWS_PER_HOUR in an hour. ' +
    'The dashboard sends these while a slider moves. The steps removeBackground and enhance have no preview.',
  admission: 'preview',
  form: { files: ['image'], further: limits.recipe.files, fileBytes: limits.preview.fileBytes, fields },
  requestHeaders: { Accept: 'Decides about the formats auto and best.' },
  produces: Object.values(codecs).map(({ mime }) => mime),
  sends: { Recipe: recipeSchema },
  headers: { ...imageHeaders, ...readingHeaderTexts },
  errors: ['missing_image_file', 'invalid_image_type', 'invalid_image', 'image_too_large', 'cannot_fit', 'conversion_failed'],
  handle,
})

async function handle(call: Call) {
  const { form, services, signal, visitor, request } = call
  const account = loginOf(visitor).user.id
  using _place = services.previews.enter(account)
  const image = form.files.get('image')
  if (!image) throw new ApiError('missing_image_file')
  const { pictureWidth, ...sent } = parseFields(fields, form.fields)
  const recipe = requestedRecipe(sent)
  const source = acceptedFormat(image.chunks, services.config.HEIC)
  if (!source) throw new ApiError('invalid_image_type')
  const further = furtherFiles(call, recipe)
  const params = { recipe, pictureWidth, files: further.map(([name]) => name), ...acceptedBy(request.header('accept')) }
  const files = [image, ...further.map(([, file]) => file)].map(({ chunks }) => chunks)
  const previewImage = writtenImage(await services.pool.of(account).run('preview', params, files, signal))
  form.release()
  return imageReply(previewImage, 'preview', image.bytes, undefined)
}

/** The recipe of one output that is asked for; the smallest encoding of its quality looks like the quality itself. */
function requestedRecipe({ operation: name, params, recipe }: Omit<z.output<typeof fields>, 'pictureWidth'>): WorkRecipe {
  if (name === undefined && recipe !== undefined) return onlyOutput(parseJson(recipeSchema, parsedJson('recipe', recipe)))
  if (name === undefined || recipe !== undefined) throw invalidParam('recipe', 'custom', 'Either recipe or operation is needed.')
  const operation: Operation = operations[name]
  const { steps, outputs } = operation.recipe(parseFields(operation.params, fieldsOf(params)))
  return { steps, outputs: outputs.map(({ optimize: _, ...output }) => output) }
}

function onlyOutput(recipe: WorkRecipe): WorkRecipe {
  if (recipe.outputs.length > 1) throw invalidParam('recipe', 'too_big', 'A preview shows one output.')
  return recipe
}

const objectOfFields = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]))

/** The fields as a form would have them. */
const fieldsOf = (params: string) =>
  new Map(Object.entries(parseJson(objectOfFields, parsedJson('params', params))).map(([name, value]) => [name, [String(value)]]))
