import { z } from 'zod'
import { aiKeyOf, takeAttempt } from '../../../accounts/throttle.ts'
import { checkServerAddress } from '../../../ai/access.ts'
import { savedProvider } from '../../../ai/provider.ts'
import { changeModel, removeKey, saveKey, showKey, shownKey } from '../../../ai/saved-keys.ts'
import { ApiError, invalidParam } from '../../../contract/api-error.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { actorOf } from '../actor-of.ts'
import { loginOf } from '../login-of.ts'

export const showAiKey = defineRoute({
  method: 'GET',
  path: '/api/user/ai-key',
  name: 'showAiKey',
  tag: 'Account',
  summary: 'Show the saved AI model; its key is masked.',
  description:
    'The first six and the last four characters of the key around eight asterisks; of a key with fewer than 20 characters only asterisks. It is shown also where AI_KEY_ENCRYPTION_SECRET is not set; saving or using a key then answers ai_key_encryption_disabled.',
  admission: 'login',
  produces: ['application/json'],
  answer: shownKey,
  errors: ['ai_key_not_found'],
  async handle({ visitor, services: { database } }) {
    const shown = await showKey(database.kysely, loginOf(visitor).user.id)
    if (!shown) throw new ApiError('ai_key_not_found')
    return jsonReply(shown)
  },
})

export const saveAiKey = defineRoute({
  method: 'PUT',
  path: '/api/user/ai-key',
  name: 'saveAiKey',
  tag: 'Account',
  summary: 'Save an AI model of your own with its key, in place of one saved before.',
  description:
    'AI requests use it with `userProvider.useAccountKey`, at this address only. The key is encrypted with AES-256-GCM and never shown again.',
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
    const changed = await changeModel(database.kysely, actorOf(call), account, model)
    if (!changed) throw invalidParam('apiKey', 'invalid_value', 'Is needed, as no key is saved for this address.')
    return jsonReply(changed)
  },
})

export const removeAiKey = defineRoute({
  method: 'DELETE',
  path: '/api/user/ai-key',
  name: 'removeAiKey',
  tag: 'Account',
  summary: 'Remove the saved AI model and its key for good.',
  admission: 'login',
  produces: ['application/json'],
  answer: z.object({ deleted: z.literal(true) }),
  errors: ['ai_key_not_found'],
  async handle(call) {
    const removed = await removeKey(call.services.database.kysely, actorOf(call), loginOf(call.visitor).user.id)
    if (!removed) throw new ApiError('ai_key_not_found')
    return jsonReply({ deleted: true })
  },
})
