import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import type { Gate } from './gate.ts'

/**
 * A key's plan and the burst limit, in one round trip. Whether somebody who is signed in may use AI cannot be told before the
 * body is known: with a model of their own everybody may.
 */
export const aiGate: Gate = async (visitor, { calls }) => {
  const { apiKeyHash: keyHash, login } = visitor
  const caller = keyHash ? { keyHash } : login ? { accountId: login.user.id } : undefined
  if (!caller) throw new ApiError('ai_access_denied')
  const admitted = await calls.admitAi(caller)
  if (admitted.verdict !== 'ok') throw new CallRefused(admitted)
  const { accountId, keyId, allowance } = admitted
  const plan = admitted.plan ?? login?.user.plan
  if (!plan) throw new Error('an account has a plan')
  return { ...visitor, account: accountId, ai: { accountId, plan, keyId }, allowance }
}
