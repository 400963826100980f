import { z } from 'zod'
import type { Webhook } from '../../../../http/route.ts'
import { signatureHeaderTexts } from '../../../../webhooks/signing.ts'
import { batchAnswer } from './answer.ts'

const webhook = (name: string, summary: string): Webhook => ({
  name,
  summary,
  headers: signatureHeaderTexts,
  body: z.object({
    type: z.literal(name),
    timestamp: z.iso.datetime().describe('When the batch ended.'),
    data: batchAnswer.describe('What its status was at that moment.'),
  }),
})

/** What the receiver that `webhook_url` names is sent: one of these, once the batch has ended. */
export const batchWebhooks: readonly Webhook[] = [
  webhook('batch.completed', 'A batch is completed: there is a result.'),
  webhook('batch.failed', 'A batch has failed: there is no result.'),
]
