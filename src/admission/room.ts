import { API_KEY, hashApiKey } from '../accounts/api-keys.ts'
import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import type { Calls, Payment } from '../metering/calls.ts'
import { serverBusy } from '../rendering/pool.ts'
import type { Services } from '../services.ts'
import { bearerOf } from './bearer.ts'
import { paymentFor } from './call.ts'
import { callerOf } from './caller.ts'
import type { Gate, Visitor } from './gate.ts'

/** The account that calls, as far as it is known without asking the database. */
function accountOf(visitor: Visitor, payment: Payment, calls: Pick<Calls, 'passedLately'>): string | undefined {
  const caller = callerOf(visitor)
  return visitor.account ?? (caller && calls.passedLately(caller, payment))
}

/**
 * A full server writes nothing for a call that it cannot take, but reads first what else would refuse it: who sends a
 * revoked key is not told to come back. While there is room it costs nothing. For an account whose images fill their share of the
 * queue it is full before it is for others.
 */
export const roomFor =
  (most: Payment): Gate =>
  async (visitor, { room, calls }) => {
    const [caller, payment] = [callerOf(visitor), paymentFor(most, visitor)]
    if (!room.full(accountOf(visitor, payment, calls))) return visitor
    if (!caller) throw new ApiError('missing_or_invalid_api_key')
    if (calls.passedLately(caller, payment) !== undefined) throw serverBusy()
    const refused = await calls.preview(caller, payment)
    if (refused) throw new CallRefused(refused)
    // Now it is known whose images they are.
    if (!room.full(accountOf(visitor, payment, calls))) return visitor
    throw serverBusy()
  }

/**
 * Whether the answer to a call of the list `api` is known to be server_busy, from its key alone: what a full server says
 * hundreds of times a second has to cost next to nothing.
 */
export function isSurelyBusy(authorization: string | undefined, { room, calls }: Pick<Services, 'room' | 'calls'>): boolean {
  if (!room.fullForSome()) return false
  const key = bearerOf(authorization)
  if (key === undefined || !API_KEY.test(key)) return false
  const account = calls.passedLately({ keyHash: hashApiKey(key) }, 'no trial')
  return account !== undefined && room.full(account)
}

/** Until its image is in the queue, or its request has ended. */
export const place: Gate = (visitor, { room, calls }) => ({
  ...visitor,
  place: room.enter(accountOf(visitor, paymentFor('trial too', visitor), calls)),
})

/** Long work waits in the background, where as much may wait as in front; who is signed in needs no call for it. */
export const roomForLongWork: Gate = async (visitor, { ai, config, calls }) => {
  if (ai.backgroundTurns.waiting() < config.RENDER_QUEUE) return visitor
  if (visitor.login) throw serverBusy()
  if (!visitor.apiKeyHash) throw new ApiError('missing_or_invalid_api_key')
  const refused = await calls.preview({ keyHash: visitor.apiKeyHash })
  throw refused ? new CallRefused(refused) : serverBusy()
}
