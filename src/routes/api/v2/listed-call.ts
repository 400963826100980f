import { z } from 'zod'

export const count = z.int().min(0)

/** Calls against what pays for them; null is unlimited. */
export const paidCalls = z.object({
  by: z.enum(['plan', 'credits', 'trial']).describe('What pays for a call.'),
  limit: count.nullable(),
  used: count,
  remaining: count.nullable(),
})

/** What AI requests have spent. */
export const spent = {
  images: count.describe('Images that were answered.'),
  inputTokens: count,
  outputTokens: count,
  cost: z.number().min(0).optional().describe("US dollars, of the server's own model where its prices are set."),
}

const aiCall = z
  .object({ provider: z.enum(['platform', 'byok']), model: z.string(), ...spent })
  .describe('Of a request to an AI endpoint: what it has spent, also in vain.')

/** A call as lists tell it. */
export const listedCall = z.object({
  id: z.uuid(),
  endpoint: z.string(),
  status: z.int(),
  statusMessage: z.string().optional(),
  message: z.string().optional().describe('What `statusMessage` means. The answer itself may have said it more exactly.'),
  key: z.string().optional().describe('The name of the API key; absent for a call of who was signed in.'),
  inputBytes: count,
  outputBytes: count,
  durationMs: count,
  at: z.iso.datetime(),
  ai: aiCall.optional(),
})
