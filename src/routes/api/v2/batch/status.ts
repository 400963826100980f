import { statusBody } from '../../../../batch/batch.ts'
import { jsonReply, readingHeaderTexts } from '../../../../http/reply.ts'
import { defineRoute } from '../../../../http/route.ts'
import { batchAnswer } from './answer.ts'
import { hasEnded, ownBatch, retryAfterText, secondsLeft } from './own-batch.ts'

export const showBatch = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/:id/status',
  name: 'showBatch',
  tag: 'Batch',
  summary: 'See how far a batch is.',
  admission: 'read',
  produces: ['application/json'],
  answer: batchAnswer,
  headers: { 'Retry-After': retryAfterText, ...readingHeaderTexts },
  errors: ['batch_not_found'],
  async handle(call) {
    const batch = await ownBatch(call)
    const { headers, body } = jsonReply(statusBody(batch))
    return { headers: { ...headers, ...(!hasEnded(batch) && { 'retry-after': String(secondsLeft(batch)) }) }, body }
  },
})
