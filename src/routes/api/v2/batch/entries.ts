import { z } from 'zod'
import { listEntries, totalEntries } from '../../../../batch/find-batches.ts'
import { entryStatuses } from '../../../../contract/batch-status.ts'
import { pageOf, readCursor } from '../../../../contract/cursor.ts'
import { jsonReply, readingHeaderTexts } from '../../../../http/reply.ts'
import { defineRoute } from '../../../../http/route.ts'
import { cursor, limit, nextCursor } from '../../admin/paging.ts'
import { manifest } from './manifest.ts'
import { ownBatch } from './own-batch.ts'

const place = z.int().min(0)
const count = z.int().min(0)

const entry = manifest.element.extend({
  seq: count.describe('Its place in the archive, from 0.'),
  status: z.enum(entryStatuses).describe('pending: nothing has become of it yet.'),
})

const totals = z
  .object({ pending: count, converted: count, failed: count, skipped: count, inputBytes: count, outputBytes: count })
  .describe('Of all entries, whatever is listed; the bytes are those of the converted ones.')

export const listBatchEntries = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/:id/entries',
  name: 'listBatchEntries',
  tag: 'Batch',
  summary: 'See what has become of each entry of the archive so far.',
  description:
    "The entries of the result's manifest, page by page and before there is a result, in the archive's order. Of a batch that failed as well. None are left once the batch has expired.",
  admission: 'read',
  query: z.object({ status: z.enum(entryStatuses).optional().describe('Only these.'), cursor, limit }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(entry), totals, nextCursor }),
  headers: readingHeaderTexts,
  errors: ['batch_not_found'],
  async handle(call) {
    const { status, limit, cursor } = call.query
    const { pool } = call.services.database
    const { id } = await ownBatch(call)
    const page = { status, after: readCursor(place, cursor), limit: limit + 1 }
    const [rows, totals] = await Promise.all([listEntries(pool, id, page), totalEntries(pool, id)])
    const { data, nextCursor } = pageOf(rows, limit, ({ seq }) => seq)
    return jsonReply({ data, totals, nextCursor })
  },
})
