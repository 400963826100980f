import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { z } from 'zod'
import { aiKeyOf, aiTrialOf, takeAttempt } from '../../accounts/throttle.ts'
import { ApiError } from '../../contract/api-error.ts'
import { plans } from '../../contract/plans.ts'
import { actorOf, loginOf } from '../../http/caller.ts'
import { jsonReply } from '../../http/reply.ts'
import { defineRoute } from '../../http/route.ts'
import { checkServerAddress } from '../access.ts'
import { savedProvider, triedProvider } from '../provider.ts'
import { changeModel, removeKey, saveKey, showKey, shownKey } from '../saved-keys.ts'
import { modelTrial, tryModel } from '../tasks/try-model.ts'

export const showAi = defineRoute({
  method: 'GET',
  path: '/api/user/ai',
  name: 'showAi',
  tag: 'Account',
  summary: "Show which models the account's AI requests may use.",
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({
    platform: z
      .object({ model: z.string(), allowed: z.boolean().describe('Whether the plan includes it.') })
      .nullable()
      .describe("The server's own model; null if there is none."),
    savesKeys: z.boolean().describe('Whether accounts can save their own model on this server.'),
    saved: shownKey.nullable().describe('The saved model; null if there is none.'),
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

export const showAiKey = defineRoute({
  method: 'GET',
  path: '/api/user/ai-key',
  name: 'showAiKey',
  tag: 'Account',
  summary: 'Show the saved AI model; its key is masked.',
  description:
    'The key is shown as its first six and last four characters with eight asterisks between; a key with fewer than 20 characters as asterisks only. It is shown even if AI_KEY_ENCRYPTION_SECRET is not set; saving or using a key then fails with ai_key_encryption_disabled.',
  admission: 'login',
  produces: ['application/json'],
  answer: shownKey,
  errors: ['ai_key_not_found'],
  async handle({ visitor, services: { database } }) {
    const savedKey = await showKey(database.kysely, loginOf(visitor).user.id)
    if (!savedKey) throw new ApiError('ai_key_not_found')
    return jsonReply(savedKey)
  },
})

export const saveAiKey = defineRoute({
  method: 'PUT',
  path: '/api/user/ai-key',
  name: 'saveAiKey',
  tag: 'Account',
  summary: 'Save your own AI model with its key, replacing the one saved before.',
  description:
    'AI requests use it with `userProvider.useAccountKey`, for this address only. The key is encrypted with AES-256-GCM and never shown again.',
  admission: 'login',
  json: savedProvider,
  produces: ['application/json'],
  answer: shownKey,
  errors: ['rate_limited', 'ai_key_encryption_disabled'],
  async handle(call) {
    const { database, ai } = call.services
    const { outbound, vault } = ai.access
    if (!vault) throw new ApiError('ai_key_encryption_disabled')
    const account = loginOf(call.visitor).user.id
    await takeAttempt(database.kysely, aiKeyOf(account))
    await checkServerAddress(outbound, ['baseUrl'], call.body.baseUrl)
    const { apiKey, ...model } = call.body
    if (apiKey !== undefined)
      return jsonReply(await saveKey(database.kysely, vault, actorOf(call), account, { ...model, apiKey }))
    const changedKey = await changeModel(database.kysely, actorOf(call), account, model)
    if (!changedKey) throw invalidParam('apiKey', 'invalid_value', 'Is needed, as no key is saved for this address.')
    return jsonReply(changedKey)
  },
})

export const removeAiKey = defineRoute({
  method: 'DELETE',
  path: '/api/user/ai-key',
  name: 'removeAiKey',
  tag: 'Account',
  summary: 'Delete the saved AI model and its key.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({ deleted: z.boolean().describe('Always true.') }),
  errors: ['ai_key_not_found'],
  async handle(call) {
    const isRemoved = await removeKey(call.services.database.kysely, actorOf(call), loginOf(call.visitor).user.id)
    if (!isRemoved) throw new ApiError('ai_key_not_found')
    return jsonReply({ deleted: true })
  },
})

export const tryAiModel = defineRoute({
  method: 'POST',
  path: '/api/user/ai-key/test',
  name: 'tryAiModel',
  tag: 'Account',
  summary: 'Test your own AI model with a small question about a test picture: the saved model, or one that is not saved yet.',
  description:
    'Errors of the model server are reported in the response with `ok: false`. A test counts for no quota; the model server may charge for tokens. Limit: 30 a minute for each account.',
  admission: 'login',
  json: triedProvider,
  produces: ['application/json'],
  answer: modelTrial,
  errors: ['no_saved_ai_key', 'rate_limited', 'ai_key_encryption_disabled'],
  async handle({ body, visitor, services: { ai, database }, signal, onFault }) {
    const account = loginOf(visitor).user.id
    await takeAttempt(database.kysely, aiTrialOf(account))
    const { baseUrl, model } = { ...(await showKey(database.kysely, account)), ...body }
    if (baseUrl === undefined || model === undefined) throw new ApiError('no_saved_ai_key')
    return jsonReply(await tryModel(ai, { account, provider: { ...body, baseUrl, model }, signal, onFault }))
  },
})
