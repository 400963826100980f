import { aiTrialOf, takeAttempt } from '../../../accounts/throttle.ts'
import { triedProvider } from '../../../ai/provider.ts'
import { showKey } from '../../../ai/saved-keys.ts'
import { modelTrial, tryModel } from '../../../ai/tasks/try-model.ts'
import { ApiError } from '../../../contract/api-error.ts'
import { jsonReply } from '../../../http/reply.ts'
import { defineRoute } from '../../../http/route.ts'
import { loginOf } from '../login-of.ts'

export const tryAiModel = defineRoute({
  method: 'POST',
  path: '/api/user/ai-key/test',
  name: 'tryAiModel',
  tag: 'Account',
  summary: 'Ask an AI model of your own one tiny question about a picture of ours: the saved one, or one before it is saved.',
  description:
    'What goes wrong at its server is the answer, with `ok: false`. It counts for no quota; tokens are spent there. Thirty a minute for an account.',
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
