import { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import { serverBusy } from '../rendering/pool.ts'
import type { Gate } from './gate.ts'

/**
 * A full server writes nothing for a call that it cannot take, but reads first what else would refuse it: who sends a
 * revoked key is not told to come back. While there is room it costs nothing.
 */
export const room: Gate = async (visitor, { pool, calls }) => {
  if (!pool.full()) return visitor
  if (visitor.login) throw serverBusy()
  if (!visitor.apiKeyHash) throw new ApiError('missing_or_invalid_api_key')
  const refused = await calls.preview(visitor.apiKeyHash)
  throw refused ? new CallRefused(refused) : serverBusy()
}
