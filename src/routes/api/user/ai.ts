import { z } from 'zod'
import { showKey, shownKey } from '../../../ai/saved-keys.ts'
import { plans } from '../../../contract/plans.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { loginOf } from '../login-of.ts'

export const showAi = defineRoute({
  method: 'GET',
  path: '/api/user/ai',
  name: 'showAi',
  tag: 'Account',
  summary: 'Show which models AI requests of the account may use.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({
    platform: z
      .object({ model: z.string(), allowed: z.boolean().describe('Whether the plan includes it.') })
      .nullable()
      .describe("The server's own model; null where it has none."),
    savesKeys: z.boolean().describe('Whether a model of your own can be saved on this server.'),
    saved: shownKey.nullable().describe('The saved model; null where nothing is saved.'),
  }),
  errors: [],
  async handle({ visitor, services: { ai, database } }) {
    const { id, plan } = loginOf(visitor).user
    const { platform, vault } = ai.access
    return jsonReply({
      platform: platform ? { model: platform.model, allowed: plans[plan].ai } : null,
      savesKeys: vault !== undefined,
      saved: (await showKey(database.kysely, id)) ?? null,
    })
  },
})
