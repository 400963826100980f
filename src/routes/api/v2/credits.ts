import { z } from 'zod'
import { jsonReply, readingHeaderTexts } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { readCredits } from '../../../metering/read-credits.ts'
import { ledgerEntry, price } from './ledger-entry.ts'

const answer = z.object({
  balance: z.int().describe('Credits of the account; below zero only after the refund of a purchase that was spent.'),
  reserved: z.int().min(0).describe('Of the balance, held by calls whose answer is under way.'),
  packages: z
    .array(
      z.object({
        id: z.string(),
        credits: z.int().min(1),
        price,
      }),
    )
    .describe('Credits that can be bought.'),
  forSale: z
    .boolean()
    .describe('Whether they are sold here: by POST /api/user/credits/checkout. Else the administrator grants credits.'),
  ledger: z.array(ledgerEntry).describe('The latest 100 entries, newest first; GET /api/v2/credits/ledger has all.'),
})

export const credits = defineRoute({
  method: 'GET',
  path: '/api/v2/credits',
  name: 'credits',
  tag: 'Usage',
  summary: "See the account's credits, what can be bought, and the ledger.",
  admission: 'read',
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
