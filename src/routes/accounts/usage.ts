import { z } from 'zod'
import { planNames } from '../../contract/plans.ts'
import { jsonReply, readingHeaderTexts } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { readAiUsage } from '../../metering/ai-images.ts'
import { listCalls } from '../../metering/list-calls.ts'
import { readUsage } from '../../metering/read-usage.ts'
import { readRemovals } from '../../metering/removals.ts'
import { cursor, limit, nextCursor } from '../paging.ts'

export const count = z.int().min(0)

/** Calls against what pays for them; null is unlimited. */
export const paidCalls = z.object({
  by: z.enum(['plan', 'credits', 'trial']).describe('What pays for a call.'),
  limit: count.nullable(),
  used: count,
  remaining: count.nullable(),
})

/** What AI requests have used. */
export const spent = {
  images: count.describe('Images that were answered.'),
  inputTokens: count,
  outputTokens: count,
  cost: z.number().min(0).optional().describe("US dollars, of the server's own model where its prices are set."),
}

const aiCall = z
  .object({ provider: z.enum(['platform', 'byok']), model: z.string(), ...spent })
  .describe('Of a request to an AI endpoint: what it has used, also when it failed.')

/** A call in a list. */
export const listedCall = z.object({
  id: z.uuid(),
  endpoint: z.string(),
  status: z.int(),
  statusMessage: z.string().optional(),
  message: z.string().optional().describe('What `statusMessage` means. The answer itself may have been more specific.'),
  key: z.string().optional().describe('The name of the API key; absent for a call with a sign-in.'),
  inputBytes: count,
  outputBytes: count,
  durationMs: count,
  at: z.iso.datetime(),
  ai: aiCall.optional(),
})

const ai = z.object({
  today: z
    .object({
      limit: count.nullable(),
      used: count,
      remaining: count.nullable(),
      resetsAt: z.iso.datetime().describe('The next 00:00 UTC.'),
    })
    .describe("Images of the UTC day for the server's own model, those under way among them; null is unlimited."),
  month: z.object(spent).describe('All models of the month together.'),
})

const monthly = {
  limit: count.nullable(),
  used: count,
  remaining: count.nullable(),
  resetsAt: z.iso.datetime().describe('00:00 UTC of the first of the next month.'),
}

const usedBytes = {
  inputBytes: count.describe('Of the files that were sent.'),
  outputBytes: count.describe('Of the answers.'),
  savedBytes: z.int().describe('inputBytes less outputBytes; below zero where answers were larger.'),
}

const answer = z.object({
  plan: z.enum(planNames),
  period: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }).describe('The UTC month.'),
  calls: paidCalls.describe(
    "The month's calls, null is unlimited; when paying as you go the credits bought, this month's calls, the credits left; with neither plan nor credits the calls for trying in the dashboard (TRIAL_CALLS).",
  ),
  byEndpoint: z.array(z.object({ endpoint: z.string(), calls: count })).describe('Successful calls of the month.'),
  bytes: z
    .object(usedBytes)
    .describe('Of the successful calls of the month and of the images of its batches; removed backgrounds are left out.'),
  daily: z
    .array(z.object({ date: z.iso.date(), calls: count, ...usedBytes }))
    .describe('Successful calls and their bytes of each day of the month so far.'),
  recent: z
    .array(listedCall)
    .describe(
      'The latest calls, newest first, successful or not; what the burst limit refused is not among them. The status 499 stands for an AI request whose client had gone.',
    ),
  ai: ai.describe('AI requests are not calls: nothing else here counts them, except that they are listed among the latest.'),
  background: z
    .object(monthly)
    .describe(
      'Backgrounds removed in the UTC month, those under way among them; null is unlimited. With an API key each is a call as well; with a sign-in it is none, and only listed among the latest.',
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
  summary: 'Show the usage of this month, and the latest calls.',
  description: 'Counts of endpoints, days and latest calls are some 100 ms behind the calls; the count of the month is exact.',
  admission: 'read',
  query: z.object({ limit: latest.describe('How many of the latest calls are listed.') }),
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
