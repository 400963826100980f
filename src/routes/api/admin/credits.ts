import { z } from 'zod'
import { grantCredits as grant } from '../../../accounts/grant-credits.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { IDEMPOTENCY_KEY, parseIdempotencyKey } from '../../../idempotency/idempotency-key.ts'
import { actorOf } from '../actor-of.ts'
import { accountIdOf } from './account-id.ts'

const MOST_CREDITS = 1_000_000_000

export const grantCredits = defineRoute({
  method: 'POST',
  path: '/api/admin/users/:id/credits',
  name: 'grantCredits',
  tag: 'Administration',
  summary: 'Grant credits to an account.',
  description: 'One credit pays one call. What was granted cannot be taken back.',
  admission: 'admin',
  idempotent: true,
  json: z.strictObject({
    credits: z.int().min(1).max(MOST_CREDITS),
    note: z.string().trim().min(1).max(500).describe('Why, for the audit log.'),
  }),
  success: 201,
  produces: ['application/json'],
  answer: z.object({
    id: z.int().describe("Of the ledger's entry."),
    credits: z.int(),
    balance: z.int().describe('What the account has now.'),
    note: z.string(),
    at: z.iso.datetime(),
  }),
  errors: ['not_found'],
  async handle(call) {
    const key = parseIdempotencyKey(call.request.header(IDEMPOTENCY_KEY))
    return jsonReply(await grant(call.services.database.kysely, actorOf(call), accountIdOf(call), { ...call.body, key }))
  },
})
