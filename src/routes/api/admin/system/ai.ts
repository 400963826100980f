import { z } from 'zod'
import { providers } from '../../../../ai/provider.ts'
import { metricValues } from './metric-values.ts'
import { count, definePart } from './part.ts'

const provider = z.enum(providers).describe("platform: the server's own model; byok: of callers.")

export const ai = definePart({
  shape: z.object({
    model: z.string().nullable().describe("The server's own; null where none is set, and smart-crop and recommend do without."),
    server: z.string().nullable().describe('Where it is asked, without path.'),
    savesKeys: z
      .boolean()
      .describe('Whether accounts can save keys of their own: with DATABASE_URL, AI_KEY_ENCRYPTION_SECRET is set.'),
    waiting: z.array(z.object({ provider, questions: count })).describe('For their turn.'),
    outcomes: z
      .array(z.object({ provider, outcome: z.string(), questions: count }))
      .describe('What came of questions since the start.'),
  }),
  async read({ ai: { access, turns }, metrics }) {
    const questions = await metricValues(metrics.registry, 'ai_question_seconds')
    return {
      model: access.platform?.model ?? null,
      server: access.platform ? new URL(access.platform.baseUrl).origin : null,
      savesKeys: access.vault !== undefined,
      waiting: providers.map((name) => ({ provider: name, questions: turns[name].waiting() })),
      outcomes: providers.flatMap((name) => {
        const own = questions.filter(({ labels }) => labels.provider === name)
        return own.map(({ labels, value }) => ({ provider: name, outcome: String(labels.outcome), questions: value }))
      }),
    }
  },
})
