import { z } from 'zod'
import { statusBody } from '../../../batch/batch.ts'
import { listBatches } from '../../../batch/find-batches.ts'
import { pageOf, readCursor } from '../../../contract/cursor.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { cursor, limit, nextCursor } from '../admin/paging.ts'
import { loginOf } from '../login-of.ts'
import { batchAnswer } from '../v2/batch/answer.ts'

const place = z.tuple([z.iso.datetime(), z.uuid()])

const bytes = z.int().min(0).nullable()

const listed = batchAnswer.extend({
  inputBytes: bytes.describe(
    'Of the images that were converted so far; null while there are none, and once the batch has expired.',
  ),
  outputBytes: bytes.describe('Of what they were converted to.'),
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
  answer: z.object({ data: z.array(listed), nextCursor }),
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
