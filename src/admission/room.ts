import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import { serverBusy } from '../rendering/pool.ts'
import type { Services } from '../services.ts'
import type { Gate } from './gate.ts'

/**
 * A full server writes nothing for a call that it cannot take, but reads first what else would refuse it: who sends a
 * revoked key is not told to come back. While there is room it costs nothing.
 */
const unless = (isFull: (services: Services) => boolean): Gate =>
  async function room(visitor, services) {
    if (!isFull(services)) return visitor
    if (visitor.login) throw serverBusy()
    if (!visitor.apiKeyHash) throw new ApiError('missing_or_invalid_api_key')
    const refused = await services.calls.preview(visitor.apiKeyHash)
    throw refused ? new CallRefused(refused) : serverBusy()
  }

export const room = unless(({ pool }) => pool.full())

/** Long work waits in the background, where as much may wait as in front. */
export const roomForLongWork = unless(({ ai, config }) => ai.backgroundTurns.waiting() >= config.RENDER_QUEUE)
