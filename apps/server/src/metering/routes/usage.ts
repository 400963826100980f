import { component } from '@pixelmill/codecs/contract/component'
import { z } from 'zod'
import { planNames } from '../../contract/plans.ts'
import { cursor, limit, nextCursor } from '../../http/paging.ts'
import { jsonReply, readingHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { readAiUsage } from '../ai-images.ts'
import { listCalls } from '../list-calls.ts'
import { readUsage } from '../read-usage.ts'
import { readRemovals } from '../removals.ts'

export const count = z.int().min(0)

/** Calls against what pays for them; null is unlimited. */
export const paidCalls = z
  .object({
    by: z.enum(['plan', 'credits', 'trial']).meta(component('PaidBy')).describe('How calls are paid for.'),
    limit: count.nullable(),
    used: count,
    remaining: count.nullable(),
  })
  .meta(component('PaidCalls'))

/** What AI requests have used. */
export const spentSchemas = {
  images: count.describe('Images answered successfully.'),
  inputTokens: count,
  outputTokens: count,
  cost: z.number().min(0).optional().describe("Cost in US dollars; for the server's own model, if its prices are configured."),
}

const aiCall = z
  .object({ provider: z.enum(['platform', 'byok']), model: z.string(), ...spentSchemas })
  .meta(component('AiCall'))
  .describe('For a request to an AI endpoint: its usage, even if it failed.')

/** A call in a list. */
export const listedCall = z
  .object({
    id: z.uuid(),
    endpoint: z.string(),
    status: z.int(),
    statusMessage: z.string().optional(),
    message: z.string().optional().describe('The meaning of `statusMessage`. The response itself may have been more specific.'),
    key: z.string().optional().describe('The name of the API key; absent for a call with a session.'),
    inputBytes: count,
    outputBytes: count,
    durationMs: count,
    at: z.iso.datetime(),
    ai: aiCall.optional(),
  })
  .meta(component('UsageCall'))

const ai = z
  .object({
    today: z
      .object({
        limit: count.nullable(),
        used: count,
        remaining: count.nullable(),
        resetsAt: z.iso.datetime().describe('The next 00:00 UTC.'),
      })
      .meta(component('Quota'))
      .describe("Images for the server's own model on this UTC day, including those in progress; null is unlimited."),
    month: z.object(spentSchemas).meta(component('AiSpent')).describe('Totals of the month over all models.'),
  })
  .meta(component('AiUsage'))

const monthly = {
  limit: count.nullable(),
  used: count,
  remaining: count.nullable(),
  resetsAt: z.iso.datetime().describe('00:00 UTC of the first of the next month.'),
}

const usedBytes = {
  inputBytes: count.describe('Bytes of the uploaded files.'),
  outputBytes: count.describe('Bytes of the responses.'),
  savedBytes: z.int().describe('inputBytes minus outputBytes; negative if the responses were larger.'),
}

const answer = z.object({
  plan: z.enum(planNames).meta(component('Plan')),
  period: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }).meta(component('Period')).describe('The UTC month.'),
  calls: paidCalls.describe(
    'Calls of the month, null is unlimited. With pay-as-you-go: credits bought, calls of this month, credits left. With neither plan nor credits: the trial calls of the dashboard (TRIAL_CALLS).',
  ),
  byEndpoint: z.array(z.object({ endpoint: z.string(), calls: count })).describe('Successful calls of the month.'),
  bytes: z
    .object(usedBytes)
    .describe("Totals of the month's successful calls, including images of batches and excluding removed backgrounds."),
  daily: z
    .array(z.object({ date: z.iso.date(), calls: count, ...usedBytes }))
    .describe('Successful calls and their bytes for each day of the month so far.'),
  recent: z
    .array(listedCall)
    .describe(
      'The latest calls, newest first, successful or not; calls refused by the burst limit are not listed. Status 499 means an AI request whose client disconnected.',
    ),
  ai: ai.describe('AI requests do not count as calls; they are counted here and listed among the latest calls.'),
  background: z
    .object(monthly)
    .meta(component('Quota'))
    .describe(
      'Backgrounds removed in this UTC month, including those in progress; null is unlimited. With an API key each removal also counts as a call; with a session it does not, but is listed among the latest calls.',
    ),
})

const LATEST = { min: 1, max: 100, otherwise: 20 }
const WHOLE = /^\d{1,9}$/
const latest = z
  .string()
  .regex(WHOLE, 'Must be a whole number.')
  .transform(Number)
  .pipe(z.int().min(LATEST.min).max(LATEST.max))
  .default(LATEST.otherwise)

export const usage = defineRoute({
  method: 'GET',
  path: '/api/v2/usage',
  name: 'usage',
  tag: 'Usage',
  summary: "Show this month's usage and the latest calls.",
  description: 'The count of the month is exact; counts by endpoint and day and the list of calls lag by about 100 ms.',
  admission: 'read',
  scopes: ['usage'],
  query: z.object({ limit: latest.describe('Number of latest calls to list.') }),
  produces: ['application/json'],
  answer,
  headers: readingHeaderTexts,
  errors: [],
  async handle({ query, visitor, services }) {
    if (visitor.account === undefined) throw new Error('usage is of an account')
    const { database, config } = services
    const [usage, ai, background] = await Promise.all([
      readUsage(database.pool, visitor.account, query.limit, config.TRIAL_CALLS),
      readAiUsage(database.pool, visitor.account, config.AI_DAILY_LIMIT),
      readRemovals(database.pool, visitor.account, config.BG_MONTHLY_LIMIT),
    ])
    const { limit, used, remaining, resetsAt } = background
    return jsonReply({ ...usage, ai, background: { limit, used, remaining, resetsAt } })
  },
})

export const usageCalls = defineRoute({
  method: 'GET',
  path: '/api/v2/usage/calls',
  name: 'listCalls',
  tag: 'Usage',
  summary: 'List the calls of the last twelve months, newest first.',
  description:
    'The same entries as `recent` in GET /api/v2/usage, in pages: successful or not, including AI requests, with a lag of about 100 ms.',
  admission: 'read',
  scopes: ['usage'],
  query: z.object({ only: z.enum(['failed']).optional().describe('Only failed calls.'), cursor, limit }),
  produces: ['application/json'],
  answer: z.object({ data: z.array(listedCall), nextCursor }),
  headers: readingHeaderTexts,
  errors: [],
  async handle({ query: { only, cursor, limit }, visitor, services }) {
    if (visitor.account === undefined) throw new Error('calls are of an account')
    return jsonReply(await listCalls(services.database.pool, visitor.account, { only, cursor, limit }))
  },
})
