import { component } from '@pixelmill/codecs/contract/component'
import { z } from 'zod'
import { cursor, limit, nextCursor } from '../../http/paging.ts'
import { jsonReply, readingHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { listLedger, readCredits } from '../../metering/ledger.ts'

export const price = z
  .object({
    amount: z.int().min(1).describe('In the smallest unit of the currency: 900 is 9.00 USD.'),
    currency: z.string().describe('ISO 4217 code in lower case.'),
  })
  .meta(component('Price'))

/** An entry of the credit ledger. */
export const ledgerEntry = z.object({
  id: z.int(),
  kind: z.enum(['purchase', 'grant', 'call', 'refund', 'purchase_refund']),
  credits: z.int().describe('Negative when spent.'),
  balance: z.int().describe('Balance after this entry.'),
  at: z.iso.datetime(),
})

const answer = z.object({
  balance: z.int().describe('Credits of the account; negative only after the refund of a purchase whose credits were spent.'),
  reserved: z.int().min(0).describe('Credits of the balance reserved by calls in progress.'),
  packages: z
    .array(
      z.object({
        id: z.string(),
        credits: z.int().min(1),
        price,
      }),
    )
    .describe('Packages of credits for sale.'),
  forSale: z
    .boolean()
    .describe('Whether credits can be bought by POST /api/user/credits/checkout. If not, the administrator grants credits.'),
  ledger: z.array(ledgerEntry).describe('The latest 100 entries, newest first; GET /api/v2/credits/ledger has all.'),
})

export const credits = defineRoute({
  method: 'GET',
  path: '/api/v2/credits',
  name: 'credits',
  tag: 'Usage',
  summary: "Show the account's credits, the packages for sale, and the latest ledger entries.",
  admission: 'read',
  scopes: ['usage'],
  produces: ['application/json'],
  answer,
  headers: readingHeaderTexts,
  errors: [],
  async handle({ visitor, services }) {
    if (visitor.account === undefined) throw new Error('credits are of an account')
    const { balance, reserved, ledger } = await readCredits(services.database.pool, visitor.account)
    return jsonReply({ balance, reserved, packages: services.config.CREDIT_PACKAGES, forSale: services.billing.isOpen, ledger })
  },
})

const purchase = z
  .object({ packageId: z.string(), price })
  .describe('For a purchase or its refund: the package and the price paid.')

export const creditsLedger = defineRoute({
  method: 'GET',
  path: '/api/v2/credits/ledger',
  name: 'listLedger',
  tag: 'Usage',
  summary: 'List all entries of the credit ledger, newest first.',
  admission: 'read',
  scopes: ['usage'],
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
