import { z } from 'zod'
import { batchName, statusBody, uploadKey } from '../../../../batch/batch.ts'
import { createBatch, requireShare } from '../../../../batch/create-batch.ts'
import { targetFormats } from '../../../../codecs/index.ts'
import { ApiError } from '../../../../contract/api-error.ts'
import { limits } from '../../../../contract/limits.ts'
import { parseFields } from '../../../../contract/parse.ts'
import { jsonReply, rateLimitHeaderTexts } from '../../../../http/reply.ts'
import { defineRoute } from '../../../../http/route.ts'
import { format, quality } from '../../../../tasks/fields.ts'
import { checkReceiver } from '../../../../webhooks/attempt.ts'
import { batchAnswer } from './answer.ts'
import { accountShare, archiveLimits, batchLimits } from './archive-limits.ts'
import { hasEnded, retryAfterText, secondsLeft } from './own-batch.ts'
import { batchWebhooks } from './webhooks.ts'

const fields = z.object({
  format: format(targetFormats, 'Output format of every image; jpg is taken as jpeg.').default('webp'),
  quality: quality('The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.')
    .optional()
    .meta({ default: limits.quality.default }),
  name: batchName.optional().describe(`What to call the batch, 1 to ${limits.nameLength} characters; names its download.`),
  webhook_url: z
    .string()
    .optional()
    .describe('An http or https address that is called when the batch is completed or has failed; docs/webhooks.md has how.'),
})

export const startBatch = defineRoute({
  method: 'POST',
  path: '/api/v2/batch',
  name: 'startBatch',
  tag: 'Batch',
  summary: 'Convert a ZIP archive of images.',
  description:
    'The images are converted behind the answer; every one that is costs a call, as if it had been sent alone, and one that fails costs nothing. The calls are set aside for all images at once. Entries that are no images are skipped.',
  admission: 'batch',
  idempotent: true,
  form: {
    files: [],
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
  errors: ['missing_archive_file', 'invalid_archive', 'archive_too_large', 'archive_has_no_images', 'too_many_batches'],
  async handle({ form, visitor, services, idempotency }) {
    const { stored } = form
    if (!stored) throw new ApiError('missing_archive_file')
    if (!visitor.metered) throw new Error('a batch was asked for without a call')
    const params = parseFields(fields, form.fields)
    if (params.webhook_url !== undefined) await checkReceiver(services.outbound, 'webhook_url', params.webhook_url)
    // From here on createBatch answers for the upload.
    stored.keep()
    const batch = await createBatch(services, batchLimits(services.config), {
      id: stored.id,
      bytes: stored.bytes,
      call: visitor.metered,
      format: params.format,
      name: params.name ?? null,
      quality: params.quality ?? null,
      webhookUrl: params.webhook_url ?? null,
      ...(idempotency && { idempotency }),
    })
    services.batchWorker?.poke()
    const { headers, body } = jsonReply(statusBody(batch))
    const waiting = hasEnded(batch) ? {} : { 'retry-after': String(secondsLeft(batch)) }
    return { headers: { ...headers, ...waiting, location: `/api/v2/batch/${batch.id}/status` }, body }
  },
})
