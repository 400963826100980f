import { z } from 'zod'
import { ApiError } from '../../contract/api-error.ts'
import { entryStatuses } from '../../contract/batch-status.ts'
import { pageOf, readCursor } from '../../contract/cursor.ts'
import { loginOf } from '../../http/caller.ts'
import { cursor, limit, nextCursor } from '../../http/paging.ts'
import { jsonReply, readingHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { statusBody } from '../batch.ts'
import { cancelBatch } from '../end-batches.ts'
import { listBatches, listEntries, totalEntries } from '../find-batches.ts'
import { batchAnswer, hasEnded, manifest, ownBatch, retryAfterText, secondsLeft } from './answer.ts'

export const showBatch = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/:id/status',
  name: 'showBatch',
  tag: 'Batch',
  summary: 'Show the progress of a batch.',
  admission: 'read',
  scopes: ['batch'],
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

export const deleteBatch = defineRoute({
  method: 'DELETE',
  path: '/api/v2/batch/:id',
  name: 'deleteBatch',
  tag: 'Batch',
  summary: 'Cancel a batch and delete it with its files.',
  description: 'Converted images stay charged; the calls of all others are refunded. No webhook is sent.',
  admission: 'read',
  scopes: ['batch'],
  produces: ['application/json'],
  answer: z.object({ deleted: z.boolean().describe('Always true.') }),
  headers: readingHeaderTexts,
  errors: ['batch_not_found'],
  async handle(call) {
    const { id, accountId } = await ownBatch(call)
    if (!(await cancelBatch(call.services.database.pool, accountId, id))) throw new ApiError('batch_not_found')
    return jsonReply({ deleted: true })
  },
})

const count = z.int().min(0)

const entry = manifest.element.extend({
  seq: count.describe('Index in the archive, from 0.'),
  status: z.enum(entryStatuses).describe('pending: not processed yet.'),
})

const totals = z
  .object({ pending: count, converted: count, failed: count, skipped: count, inputBytes: count, outputBytes: count })
  .describe('Totals of all entries, whatever the filter; the bytes are those of converted images.')

export const listBatchEntries = defineRoute({
  method: 'GET',
  path: '/api/v2/batch/:id/entries',
  name: 'listBatchEntries',
  tag: 'Batch',
  summary: 'List the entries of the archive and their results so far.',
  description:
    "The entries of the result's manifest in the archive's order, in pages, before there is a result; also for failed batches. After the batch has expired there are none.",
  admission: 'read',
  scopes: ['batch'],
  query: z.object({ status: z.enum(entryStatuses).optional().describe('Only entries with this status.'), cursor, limit }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(entry), totals, nextCursor }),
  headers: readingHeaderTexts,
  errors: ['batch_not_found'],
  async handle(call) {
    const { status, limit, cursor } = call.query
    const { pool } = call.services.database
    const batch = await ownBatch(call)
    const page = { status, after: readCursor(count, cursor), limit: limit + 1 }
    const [rows, totals] = await Promise.all([listEntries(pool, batch, page), totalEntries(pool, batch.id)])
    const { data, nextCursor } = pageOf(rows, limit, ({ seq }) => seq)
    return jsonReply({ data, totals, nextCursor })
  },
})

const place = z.tuple([z.iso.datetime(), z.uuid()])

const bytes = z.int().min(0).nullable()

const listedSchema = batchAnswer.extend({
  inputBytes: bytes.describe(
    'Totals of the images converted so far; null while there are none, and after the batch has expired.',
  ),
  outputBytes: bytes.describe('Bytes of the converted images.'),
})

export const listOwnBatches = defineRoute({
  method: 'GET',
  path: '/api/user/batches',
  name: 'listBatches',
  tag: 'Batch',
  summary: "List the account's batches of the last 30 days, newest first.",
  admission: 'login',
  query: z.object({ cursor, limit }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(listedSchema), nextCursor }),
  errors: [],
  async handle({ query, visitor, services: { database } }) {
    const [createdAt, id] = readCursor(place, query.cursor) ?? []
    const before = createdAt !== undefined && id !== undefined ? { createdAt: new Date(createdAt), id } : undefined
    const rows = await listBatches(database.pool, loginOf(visitor).user.id, { before, limit: query.limit + 1 })
    const { data, nextCursor } = pageOf(rows, query.limit, (batch) => [batch.createdAt.toISOString(), batch.id])
    const bodies = data.map((batch) => ({
      ...statusBody(batch),
      inputBytes: batch.inputBytes,
      outputBytes: batch.outputBytes,
    }))
    return jsonReply({ data: bodies, nextCursor })
  },
})
