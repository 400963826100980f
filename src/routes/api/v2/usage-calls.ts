import { z } from 'zod'
import { jsonReply, readingHeaderTexts } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { listCalls } from '../../../metering/list-calls.ts'
import { cursor, limit, nextCursor } from '../admin/paging.ts'
import { listedCall } from './listed-call.ts'

export const usageCalls = defineRoute({
  method: 'GET',
  path: '/api/v2/usage/calls',
  name: 'listCalls',
  tag: 'Usage',
  summary: 'List the calls of the last twelve months, newest first.',
  description:
    'As in the `recent` of GET /api/v2/usage, page by page: successful or not, AI requests among them, and some 100 ms behind.',
  admission: 'read',
  query: z.object({ only: z.enum(['failed']).optional().describe('Only those that failed.'), cursor, limit }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(listedCall), nextCursor }),
  headers: readingHeaderTexts,
  errors: [],
  async handle({ query: { only, cursor, limit }, visitor, services }) {
    if (visitor.account === undefined) throw new Error('calls are of an account')
    return jsonReply(await listCalls(services.database.pool, visitor.account, { only, cursor, limit }))
  },
})
