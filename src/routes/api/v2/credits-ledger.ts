import { z } from 'zod'
import { jsonReply, readingHeaderTexts } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { listLedger } from '../../../metering/list-ledger.ts'
import { cursor, limit, nextCursor } from '../admin/paging.ts'
import { ledgerEntry, price } from './ledger-entry.ts'

const purchase = z
  .object({ packageId: z.string(), price })
  .describe('Of a purchase or its refund: what was bought, at the price of that day.')

export const creditsLedger = defineRoute({
  method: 'GET',
  path: '/api/v2/credits/ledger',
  name: 'listLedger',
  tag: 'Usage',
  summary: 'List every movement of credits, newest first.',
  admission: 'read',
  query: z.object({
    only: z.enum(['bought']).optional().describe('Only purchases, grants and refunds of purchases.'),
    cursor,
    limit,
  }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(ledgerEntry.extend({ purchase: purchase.optional() })), nextCursor }),
  headers: readingHeaderTexts,
  errors: [],
  async handle({ query: { only, cursor, limit }, visitor, services }) {
    if (visitor.account === undefined) throw new Error('a ledger is of an account')
    return jsonReply(await listLedger(services.database.pool, visitor.account, { only, cursor, limit }))
  },
})
