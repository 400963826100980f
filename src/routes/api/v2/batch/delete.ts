import { z } from 'zod'
import { cancelBatch } from '../../../../batch/end-batches.ts'
import { ApiError } from '../../../../contract/api-error.ts'
import { jsonReply, readingHeaderTexts } from '../../../../http/reply.ts'
import { defineRoute } from '../../../../http/route.ts'
import { ownBatch } from './own-batch.ts'

export const deleteBatch = defineRoute({
  method: 'DELETE',
  path: '/api/v2/batch/:id',
  name: 'deleteBatch',
  tag: 'Batch',
  summary: 'Cancel a batch, and remove it with its files.',
  description: 'Images that are converted already stay charged; the calls of the others are given back. No webhook is sent.',
  admission: 'read',
  produces: ['application/json'],
  answer: z.object({ deleted: z.literal(true) }),
  headers: readingHeaderTexts,
  errors: ['batch_not_found'],
  async handle(call) {
    const { database, queue } = call.services
    const { id, accountId } = await ownBatch(call)
    if (!(await cancelBatch(database.pool, accountId, id))) throw new ApiError('batch_not_found')
    // It is gone, whatever becomes of this: the housekeeping removes its files within the minute.
    await queue
      .send('remove-batch-files', { batchId: id }, { key: id })
      .catch((error: unknown) => call.onFault(error, 'the files of a batch wait for the housekeeping'))
    return jsonReply({ deleted: true })
  },
})
