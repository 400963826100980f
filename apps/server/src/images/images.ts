import { acceptedFormat, codecs } from '@pixelmill/codecs'
import { acceptedBy } from '@pixelmill/codecs/accept'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseFields } from '@pixelmill/codecs/contract/parse'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import { recipeId } from '@pixelmill/engine/recipe/canonical'
import { boolean } from '@pixelmill/engine/recipe/fields'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { writtenImages } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import { modelErrors } from '../ai/routes/answer-with-ai.ts'
import { ApiError } from '../contract/api-error.ts'
import { imageHeaders, imageReply, rateLimitHeaderTexts } from '../http/reply.ts'
import { type Call, defineRoute } from '../http/route.ts'
import { manifest, SEVERAL_TYPES, severalImages } from '../http/several-images.ts'
import { imageOf, imageUrlErrors, imageUrlField, uploadField, uploadFieldErrors } from '../uploads/routes/uploaded-file.ts'
import { describeImage } from './describe.ts'
import { furtherFiles, recipeFields, recipeOf } from './recipe-fields.ts'

const describeField = {
  describe: boolean(
    'true: the answer is a ZIP or multipart/mixed even with one output, and manifest.json describes the source.',
  ).default(false),
}

const fields = z.object({ ...recipeFields, ...uploadField, ...imageUrlField, ...describeField })

/** POST /api/v3/images: a recipe of several steps and outputs, from one upload. */
export const images = defineRoute({
  method: 'POST',
  path: '/api/v3/images',
  name: 'makeImages',
  tag: 'Recipes',
  summary: 'Carry out a recipe: several steps, and several images from one upload.',
  description:
    'One output is answered as the image itself, several as a ZIP with manifest.json (schema ImagesManifest), or as multipart/mixed where Accept prefers that. ' +
    'Each output costs one call; if one cannot be made, the request fails and costs nothing. Steps refer to further files of the form by name. Unknown fields are errors.',
  admission: 'api',
  idempotent: 'made again',
  form: { files: ['image'], orUpload: true, orUrl: true, further: limits.recipe.files, fields },
  requestHeaders: { Accept: 'Decides about the formats auto and best, and about ZIP or multipart/mixed.' },
  produces: [...Object.values(codecs).map(({ mime }) => mime), ...SEVERAL_TYPES],
  sends: { Recipe: recipeSchema },
  contains: { ImagesManifest: manifest },
  headers: {
    ...imageHeaders,
    'X-Recipe-Id': 'SHA-256 of what the recipe means, in hexadecimal digits.',
    Vary: 'Accept, where an output has the format auto or best.',
    ...rateLimitHeaderTexts,
  },
  errors: [
    ...(['missing_image_file', 'preset_not_found', 'invalid_image_type', 'invalid_image', 'image_too_large'] as const),
    ...uploadFieldErrors,
    ...imageUrlErrors,
    ...modelErrors,
    'ai_access_denied',
    ...(['cannot_fit', 'background_not_separable', 'conversion_failed'] as const),
  ],
  handle,
})

async function handle(call: Call) {
  const { services, signal, visitor, request } = call
  const image = await imageOf(call, limits.uploadBytes)
  const recipe = await recipeOf(call)
  if (!recipe) throw invalidParam('recipe', 'invalid_type', 'Is needed, or preset.')
  const further = furtherFiles(call, recipe)
  const source = acceptedFormat(image.chunks, services.config.HEIC)
  if (!source) throw new ApiError('invalid_image_type')
  const { account, metered } = visitor
  if (account === undefined) throw new Error('an image was admitted of no account')
  if (!call.replayed) await metered?.widen(recipe.outputs.length)
  const accept = request.header('accept')
  const files = [image, ...further.map(([, file]) => file)].map(({ chunks }) => chunks)
  const params = { recipe, files: further.map(([name]) => name), ...acceptedBy(accept) }
  const resultImages = writtenImages(await services.pool.of(account).run('recipe', params, files, signal))
  services.metrics.onImage({
    operation: 'recipe',
    inputBytes: image.bytes,
    outputBytes: resultImages.reduce((sum, { bytes }) => sum + bytes.length, 0),
    pixels: resultImages.reduce((sum, { width, height }) => sum + width * height, 0),
  })
  const id = recipeId(recipe)
  const namedImages = resultImages.map((image, index) => ({ name: recipe.outputs[index]?.name ?? 'image', image }))
  const [first, ...more] = namedImages
  if (!first) throw new Error('a recipe made no image')
  const isDescribed = parseFields(z.object(describeField), call.form.fields).describe
  const answer =
    more.length === 0 && !isDescribed
      ? imageReply(first.image, first.name, image.bytes, fallbackOf(recipe, source.name, first.image.codec.name))
      : await severalImages(namedImages, id, accept, isDescribed ? await describeImage(call, image, account) : undefined)
  call.form.release()
  const varies = recipe.outputs.some(({ format }) => format === 'auto' || format === 'best')
  return { ...answer, headers: { ...answer.headers, 'x-recipe-id': id, ...(varies && { vary: 'Accept' }) } }
}

/** As with the operations that keep the format: where it cannot be written here. */
const fallbackOf = ({ outputs: [output] }: Recipe, source: FormatName, resultImages: FormatName) =>
  output?.format === 'same' && source !== resultImages ? `${source}->${resultImages}` : undefined
