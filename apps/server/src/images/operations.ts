import { acceptedFormat, codecs } from '@pixelmill/codecs'
import { acceptedBy } from '@pixelmill/codecs/accept'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseFields } from '@pixelmill/codecs/contract/parse'
import { targetFormats } from '@pixelmill/codecs/image-formats'
import type { WorkRecipe } from '@pixelmill/engine/recipe/plan'
import type { Files } from '@pixelmill/engine/rendering/protocol'
import { type OperationName, operations, type TaskParams } from '@pixelmill/engine/tasks/index'
import { type Operation, ofForm } from '@pixelmill/engine/tasks/operation'
import { type WrittenImage, writtenImage, writtenImages } from '@pixelmill/engine/tasks/task'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { ApiError } from '../contract/api-error.ts'
import { imageHeaders, imageReply, rateLimitHeaderTexts } from '../http/reply.ts'
import { type Call, defineRoute, type Route, type Upload } from '../http/route.ts'
import { imageAt, imageUrlErrors, imageUrlField, imageUrlOf } from '../uploads/routes/uploaded-file.ts'

const missing = { image: 'missing_image_file', watermark: 'missing_watermark_file' } as const

function requireFile({ form: { files } }: Call, field: keyof typeof missing): Upload {
  const file = files.get(field)
  if (!file) throw new ApiError(missing[field])
  return file
}

function requireImage(file: Upload, field: keyof typeof missing, { HEIC }: Config): Codec {
  const codec = acceptedFormat(file.chunks, HEIC)
  if (codec) return codec
  throw new ApiError(
    'invalid_image_type',
    field === 'image' ? {} : { message: `In the form field "${field}": the file is no accepted image.` },
  )
}

const keepsFormat = (operation: Operation): boolean => !('format' in operation.params.shape)

function accountOf({ visitor: { account } }: Call): string {
  if (account === undefined) throw new Error('an image was admitted of no account')
  return account
}

/** Checks in the order of the contract: files, parameters, type, pixels. */
async function handle(name: OperationName, operation: Operation, call: Call) {
  const url = imageUrlOf(call, call.form.files.has('image'))
  const sentFiles = operation.files.map((field) => (field === 'image' && url !== undefined ? url : requireFile(call, field)))
  const params = parseFields(operation.params, call.form.fields)
  const { services, signal } = call
  const uploads = url === undefined ? (sentFiles as Upload[]) : await fetchedFiles(call, sentFiles)
  const [source] = uploads.map((file, index) => requireImage(file, operation.files[index] ?? 'image', services.config))
  const files = uploads.map(({ chunks }) => chunks)
  // Parsed by the schema of this operation.
  const givenParams = params as TaskParams<OperationName>
  const isBest = 'format' in givenParams && givenParams.format === 'best'
  const renderedImage = isBest
    ? await best(operation.recipe(params), call, files)
    : writtenImage(await services.pool.of(accountOf(call)).run(name, givenParams, files, signal))
  call.form.release()
  const [image] = uploads
  if (!image || !source) throw new Error('an image operation needs an image')
  services.metrics.onImage({
    operation: name,
    inputBytes: image.bytes,
    outputBytes: renderedImage.bytes.length,
    pixels: renderedImage.width * renderedImage.height,
  })
  const fallback =
    keepsFormat(operation) && renderedImage.codec !== source ? `${source.name}->${renderedImage.codec.name}` : undefined
  const reply = imageReply(renderedImage, operation.stem, image.bytes, fallback)
  return isBest ? { ...reply, headers: { ...reply.headers, vary: 'Accept' } } : reply
}

/** The files, with the picture in place of its address. Only where there is one: an upload is queued without waiting for anything. */
const fetchedFiles = (call: Call, files: readonly (Upload | string)[]): Promise<readonly Upload[]> =>
  Promise.all(files.map((file) => (typeof file === 'string' ? imageAt(call, file, limits.uploadBytes) : file)))

/** The format best depends on a header, which is no parameter of an operation: its recipe is carried out with it. */
async function best(recipe: WorkRecipe, call: Call, files: Files): Promise<WrittenImage> {
  const { services, signal, request } = call
  const params = { recipe, files: [], ...acceptedBy(request.header('accept')) }
  try {
    const [image] = writtenImages(await services.pool.of(accountOf(call)).run('recipe', params, files, signal))
    if (!image) throw new Error('a recipe made no image')
    return image
  } catch (error) {
    throw ofForm(error)
  }
}

const mimes = (operation: Operation) =>
  (keepsFormat(operation) ? Object.values(codecs) : targetFormats.map((name) => codecs[name])).map(({ mime }) => mime)

const RAW = 'Instead of a form, the body may be the image itself with a type image/*; the other fields are then query parameters.'
const FORM_ONLY = 'It takes a form only: a body that is an image holds only one.'

/** POST /api/v1/<operation>: one route for each row of the operations table. */
export const operationRoutes: readonly Route[] = Object.entries(operations).map(([key, row]) => {
  const name = key as OperationName
  const operation = row as Operation
  const isAlone = operation.files.length === 1
  return defineRoute({
    method: 'POST',
    path: `/api/v1/${name}`,
    name,
    tag: 'Images',
    summary: operation.summary,
    description: `${operation.description} ${isAlone ? RAW : FORM_ONLY}`,
    admission: 'api',
    form: {
      files: operation.files,
      fields: z.object({ ...operation.params.shape, ...imageUrlField }),
      orUrl: true,
      ...(isAlone && { raw: 'image' }),
    },
    produces: mimes(operation),
    headers: {
      ...imageHeaders,
      ...(!keepsFormat(operation) && { Vary: 'Accept, with the format best.' }),
      ...rateLimitHeaderTexts,
    },
    ...(!keepsFormat(operation) && { requestHeaders: { Accept: 'Decides among the formats of best.' } }),
    errors: [
      ...operation.files.map((field) => missing[field]),
      'invalid_image_type',
      'invalid_image',
      'image_too_large',
      ...imageUrlErrors,
      'conversion_failed',
    ],
    handle: (call) => handle(name, operation, call),
  })
})
