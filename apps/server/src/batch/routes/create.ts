import { type Issue, invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseFields } from '@pixelmill/codecs/contract/parse'
import { targetFormats } from '@pixelmill/codecs/image-formats'
import { boolean, checkTarget, choice, format, quality, target } from '@pixelmill/engine/recipe/fields'
import { fileReferences, type Recipe } from '@pixelmill/engine/recipe/recipe'
import { z } from 'zod'
import { encodingNamed, nameEncodings } from '../../archives/names.ts'
import { ApiError } from '../../contract/api-error.ts'
import { jsonReply, rateLimitHeaderTexts, readingHeaderTexts } from '../../http/reply.ts'
import { type Call, defineRoute, type Webhook } from '../../http/route.ts'
import { recipeFields, recipeOf } from '../../images/recipe-fields.ts'
import { uploadField, uploadFieldErrors } from '../../uploads/routes/uploaded-file.ts'
import { checkReceiver } from '../../webhooks/attempt.ts'
import { signatureHeaderTexts } from '../../webhooks/signing.ts'
import { batchName, statusBody, uploadKey } from '../batch.ts'
import { createBatch, requireShare } from '../create-batch.ts'
import { batchAnswer, hasEnded, retryAfterText, secondsLeft } from './answer.ts'
import { accountShare, archiveLimits, archiveOf, batchLimits, requireArchive } from './archive.ts'

const most = z.int().min(1)

export const showBatchLimits = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/limits',
  name: 'showBatchLimits',
  tag: 'Batch',
  summary: 'Show the limits of an archive and of unfinished batches.',
  description: 'Operators can change these limits: check them before a large upload.',
  admission: 'read',
  scopes: ['batch'],
  produces: ['application/json'],
  answer: z.object({
    archiveBytes: most.describe('Size of the ZIP archive.'),
    entries: most.describe('Files in the archive, not counting folders and the extra files that macOS adds.'),
    unpackedBytes: most.describe('Total unpacked size of all files.'),
    accountBatches: most.describe('Unfinished batches of one account.'),
    accountBytes: most.describe('Total size of the archives of these batches.'),
    imageBytes: most.describe('Size of one image; a larger image fails without affecting the others.'),
    imagePixels: most.describe('Pixels of one image over all frames; a larger image fails without affecting the others.'),
  }),
  headers: readingHeaderTexts,
  errors: [],
  async handle({ services: { config } }) {
    const { batches: accountBatches, bytes: accountBytes } = accountShare(config)
    const images = { imageBytes: limits.uploadBytes, imagePixels: limits.pixels }
    return jsonReply({ ...archiveLimits(config), accountBatches, accountBytes, ...images })
  },
})

const webhook = (name: string, summary: string): Webhook => ({
  name,
  summary,
  headers: signatureHeaderTexts,
  body: z.object({
    type: z.literal(name),
    timestamp: z.iso.datetime().describe('When the batch ended.'),
    data: batchAnswer.describe('The status body at that time.'),
  }),
})

/** The webhooks to `webhook_url`: one of these, when the batch has ended. */
export const batchWebhooks: readonly Webhook[] = [
  webhook('batch.completed', 'A batch is completed: there is a result.'),
  webhook('batch.failed', 'A batch has failed: there is no result.'),
]

const NAME_ENCODING = 'How the file names of the archive are encoded that do not say it; auto recognises it.'

const fields = z
  .object({
    format: format(targetFormats, 'Output format of every image; jpg is taken as jpeg.').default('webp'),
    optimize: boolean(
      'Does what POST /api/v1/optimize does with each image, in place of format: it keeps its format and is never larger.',
    ).default(false),
    quality: quality('The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.')
      .optional()
      .meta({ default: limits.quality.default }),
    ...target,
    ...recipeFields,
    ...uploadField,
    nameEncoding: z
      .preprocess((value) => (typeof value === 'string' ? encodingNamed(value) : value), choice(nameEncodings, NAME_ENCODING))
      .default('auto')
      .meta({ description: NAME_ENCODING }),
    name: batchName
      .optional()
      .describe(`A name for the batch, 1 to ${limits.nameLength} characters; also the file name of its download.`),
    webhook_url: z
      .string()
      .optional()
      .describe('An http or https URL that is called when the batch is completed or has failed; see docs/webhooks.md.'),
  })
  .superRefine(checkTarget)

export const startBatch = defineRoute({
  method: 'POST',
  path: '/api/v2/batch',
  name: 'startBatch',
  tag: 'Batch',
  summary: 'Convert a ZIP archive of images.',
  description:
    'The images are converted after the response. Each converted image costs one call, like a single request; failed images cost nothing. The calls for all images are reserved at the start. Entries that are not images are skipped.',
  admission: 'batch',
  idempotent: true,
  form: {
    files: [],
    orUpload: true,
    stored: {
      field: 'file',
      mostBytes: (config) => archiveLimits(config).archiveBytes,
      tooLarge: 'archive_too_large',
      contentType: 'application/zip',
      description: 'The ZIP archive.',
      key: uploadKey,
      admit: ({ database, config }, { account, bytes }) => requireShare(database.pool, account, accountShare(config), bytes),
    },
    fields,
  },
  success: 202,
  produces: ['application/json'],
  answer: batchAnswer,
  webhooks: batchWebhooks,
  headers: { Location: 'The path of its status.', 'Retry-After': retryAfterText, ...rateLimitHeaderTexts },
  errors: [
    'missing_archive_file',
    'invalid_archive',
    'archive_too_large',
    'archive_has_no_images',
    'too_many_batches',
    'preset_not_found',
    ...uploadFieldErrors,
  ],
  async handle(call) {
    const { form, visitor, services, idempotency } = call
    requireArchive(call)
    if (!visitor.metered) throw new Error('a batch was asked for without a call')
    const params = parseFields(fields, form.fields)
    const recipe = await batchRecipe(call)
    if (params.optimize) requireAbsent(call, ['format'], 'Must be sent without optimize, which keeps the format of each image.')
    if (params.webhook_url !== undefined) await checkReceiver(services.outbound, 'webhook_url', params.webhook_url)
    // From here on createBatch is responsible for it.
    const archive = await archiveOf(call)
    const batch = await createBatch(services, batchLimits(services.config), {
      id: archive.id,
      bytes: archive.bytes,
      call: visitor.metered,
      format: recipe ? null : params.optimize ? 'same' : params.format,
      recipe: recipe ?? null,
      name: params.name ?? null,
      nameEncoding: params.nameEncoding,
      quality: params.quality ?? null,
      visualQuality: params.visualQuality ?? null,
      maxBytes: params.maxBytes ?? null,
      webhookUrl: params.webhook_url ?? null,
      ...(idempotency && { idempotency }),
    })
    services.batchWorker?.poke()
    const { headers, body } = jsonReply(statusBody(batch))
    const waiting = hasEnded(batch) ? {} : { 'retry-after': String(secondsLeft(batch)) }
    return { headers: { ...headers, ...waiting, location: `/api/v2/batch/${batch.id}/status` }, body }
  },
})

/** @throws ApiError invalid_params, if one of the fields was sent */
function requireAbsent({ form }: Pick<Call, 'form'>, names: readonly string[], message: string): void {
  const sentName = names.find((name) => form.fields.get(name)?.some((value) => value.trim() !== ''))
  if (sentName) throw invalidParam(sentName, 'custom', message)
}

/** Fields that say the same as a recipe. */
const shorthand = ['format', 'optimize', 'quality', 'visualQuality', 'maxBytes'] as const

/** @throws ApiError invalid_params, preset_not_found */
async function batchRecipe(call: Call): Promise<Recipe | undefined> {
  const recipe = await recipeOf(call)
  if (!recipe) return undefined
  requireAbsent(call, shorthand, 'Must be sent without a recipe, whose outputs say it.')
  const files = fileReferences(recipe).map(({ path }) => ({
    path,
    message: 'Must not name a file: a batch has none but its archive.',
  }))
  const best = recipe.outputs.flatMap(({ format }, index) =>
    format === 'best'
      ? [{ path: ['outputs', index, 'format'], message: 'Must not be best: the names of the results are fixed before.' }]
      : [],
  )
  const issues: readonly Issue[] = [...files, ...best].map((each) => ({ ...each, code: 'custom' }))
  if (issues.length === 0) return recipe
  throw new ApiError('invalid_params', {
    issues,
    message: issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join(' '),
  })
}
