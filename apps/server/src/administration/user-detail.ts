import { component } from '@pixelmill/codecs/contract/component'
import { z } from 'zod'
import { managedAccount } from '../accounts/account.ts'
import { keyEntry, listKeys } from '../accounts/api-keys.ts'
import { showAccount } from '../accounts/manage-accounts.ts'
import { runningBatches } from '../batch/find-batches.ts'
import { jsonReply } from '../http/reply.ts'
import { defineRoute } from '../http/route.ts'
import { readAiUsage } from '../metering/ai-images.ts'
import { readUsage } from '../metering/read-usage.ts'
import { readRemovals } from '../metering/removals.ts'
import { paidCalls } from '../metering/routes/usage.ts'
import { accountIdOf } from './users.ts'

const count = z.int().min(0)

const quota = z
  .object({ limit: count.nullable(), used: count, remaining: count.nullable(), resetsAt: z.iso.datetime() })
  .meta(component('Quota'))

const answer = managedAccount.extend({
  disabledAt: z.iso.datetime().nullable(),
  reservedCredits: count.describe('Credits reserved by calls in progress.'),
  sessions: count.describe('Active sessions.'),
  lastActiveAt: z.iso.datetime().nullable().describe('Last known use by a call, a session or an API key; to the minute.'),
  period: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }).meta(component('Period')).describe('The UTC month.'),
  calls: paidCalls.describe('As in GET /api/v2/usage: calls of the plan, credits, or trial calls; null is unlimited.'),
  ai: z.object({
    today: quota.describe("Images for the server's own model on this UTC day (AI_DAILY_LIMIT); null is unlimited."),
    month: z
      .object({ images: count, inputTokens: count, outputTokens: count, cost: z.number().min(0).optional() })
      .meta(component('AiSpent'))
      .describe('Totals of the month over all models; cost in US dollars if prices are configured.'),
  }),
  background: quota.describe('Backgrounds removed in this UTC month (BG_MONTHLY_LIMIT); null is unlimited.'),
  batches: z.object({ running: count, imagesWaiting: count }),
  keys: z.array(keyEntry).describe('API keys that are not revoked, newest first.'),
})

export const showAnyUser = defineRoute({
  method: 'GET',
  path: '/api/admin/users/:id',
  name: 'showAnyUser',
  tag: 'Administration',
  summary: 'Show an account with its limits, usage and keys.',
  description: 'Keys are shown only by their first and last characters.',
  admission: 'admin',
  produces: ['application/json'],
  answer,
  errors: ['not_found'],
  async handle(call) {
    const { database, config } = call.services
    const id = accountIdOf(call)
    const account = await showAccount(database.kysely, id)
    const [{ period, calls }, ai, removals, batches, keys] = await Promise.all([
      readUsage(database.pool, id, 0, config.TRIAL_CALLS),
      readAiUsage(database.pool, id, config.AI_DAILY_LIMIT),
      readRemovals(database.pool, id, config.BG_MONTHLY_LIMIT),
      runningBatches(database.pool, id),
      listKeys(database.kysely, id),
    ])
    const { limit, used, remaining, resetsAt } = removals
    return jsonReply({ ...account, period, calls, ai, background: { limit, used, remaining, resetsAt }, batches, keys })
  },
})
