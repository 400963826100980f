import { z } from 'zod'
import { listBatches } from '../../../batch/find-batch.ts'
import { statusBody } from '../../../batch/status-body.ts'
import { pageOf, readCursor } from '../../../contract/cursor.ts'
import { jsonReply } from '../../../http/json-reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { cursor, limit, nextCursor } from '../admin/paging.ts'
import { loginOf } from '../login-of.ts'
import { batchAnswer } from '../v2/batch/answer.ts'

const place = z.tuple([z.iso.datetime(), z.uuid()])

export const listOwnBatches = defineRoute({
  method: 'GET',
  path: '/api/user/batches',
  name: 'listBatches',
  tag: 'Batch',
  summary: "List the account's batches of the last 30 days, newest first.",
  admission: 'login',
  query: z.object({ cursor, limit }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(batchAnswer), nextCursor }),
  errors: [],
  async handle({ query, visitor, services: { database } }) {
    const [createdAt, id] = readCursor(place, query.cursor) ?? []
    const before = createdAt !== undefined && id !== undefined ? { createdAt: new Date(createdAt), id } : undefined
    const rows = await listBatches(database.pool, loginOf(visitor).user.id, { before, limit: query.limit + 1 })
    const { data, nextCursor } = pageOf(rows, query.limit, (batch) => [batch.createdAt.toISOString(), batch.id])
    return jsonReply({ data: data.map(statusBody), nextCursor })
  },
})
