import { z } from 'zod'
import { jsonReply } from '../../../http/json-reply.ts'
import { readingHeaderTexts } from '../../../http/rate-limit-headers.ts'
import { defineRoute } from '../../../http/route.ts'
import { readCredits } from '../../../metering/read-credits.ts'

const answer = z.object({
  balance: z.int().describe('Credits of the account; below zero only after the refund of a purchase that was spent.'),
  reserved: z.int().min(0).describe('Of the balance, held by calls whose answer is under way.'),
  packages: z
    .array(
      z.object({
        id: z.string(),
        credits: z.int().min(1),
        price: z.object({
          amount: z.int().min(1).describe("In the currency's smallest unit: 900 is 9.00 USD."),
          currency: z.string().describe('ISO 4217 in small letters.'),
        }),
      }),
    )
    .describe('Credits that can be bought.'),
  ledger: z
    .array(
      z.object({
        id: z.int(),
        kind: z.enum(['purchase', 'grant', 'call', 'refund', 'purchase_refund']),
        credits: z.int().describe('Negative when spent.'),
        balance: z.int().describe('What the account had after this entry.'),
        at: z.iso.datetime(),
      }),
    )
    .describe('The latest 100 entries, newest first.'),
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
    return jsonReply({ balance, reserved, packages: services.config.CREDIT_PACKAGES, ledger })
  },
})
