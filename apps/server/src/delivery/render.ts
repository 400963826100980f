import type { Effort } from '@pixelmill/codecs/codec'
import { ApiError } from '../contract/api-error.ts'
import type { Refused } from '../metering/admission-result.ts'
import type { Calls } from '../metering/calls.ts'
import { meteredCall } from '../metering/charge-call.ts'
import type { UsageLog } from '../metering/usage-log.ts'
import type { Result } from './cache.ts'
import { type Ends, type MakeParts, makeResult, type Purpose } from './make-result.ts'
import type { Accepted, Order } from './order.ts'
import type { Origin, Original } from './origin/original.ts'

export interface RenderParts extends MakeParts {
  /** Of images in a format of the server's choice, if it is not that of the recipe. */
  readonly firstEffort: Effort | undefined
  /** An image was made. */
  onImage(image: {
    readonly operation: string
    readonly inputBytes: number
    readonly outputBytes: number
    readonly pixels: number
  }): void
  /** Without a burst limit: a page has many images. */
  readonly calls: Calls
  readonly usage: Pick<UsageLog, 'record'>
  /** The call with this id is charged for good: its image is made and will be cached. */
  onCharged(id: string): void
  /** A call could not be given back yet. */
  onFault(error: unknown): void
}

/** The path of the route, under which the calls of misses are listed. */
export const DELIVERY_ROUTE = '/i/:source/*'

/**
 * Makes the image of an order: one call of the account that owns the source.
 * @param original read after the call was admitted
 * @throws ApiError what is wrong with the image; insufficient_credits, monthly_limit_exceeded; server_busy
 */
export async function renderOrder(
  parts: RenderParts,
  order: Order,
  acceptedFormats: Accepted,
  origin: Origin,
  original: () => Promise<Original>,
  ends: Ends,
): Promise<Result> {
  const { accountId } = order.source
  const admissionVerdict = await parts.calls.admit({ accountId })
  if (admissionVerdict.verdict !== 'ok') throw refusalOf(admissionVerdict)
  const chargedCall = meteredCall(admissionVerdict, parts.calls)
  const began = performance.now()
  try {
    const purpose: Purpose = { lane: 'sync', effort: parts.firstEffort }
    const { result, inputBytes } = await makeResult(parts, order, acceptedFormats, origin, await original(), ends, purpose)
    await chargedCall.settle()
    parts.onCharged(chargedCall.reservation.id)
    const { width, height, body } = result
    // An original that is sent as it is was not decoded.
    if (width > 0) parts.onImage({ operation: 'delivery', inputBytes, outputBytes: body.length, pixels: width * height })
    const durationMs = Math.round(performance.now() - began)
    const call = { accountId, keyId: null, endpoint: DELIVERY_ROUTE, status: 200, statusMessage: null }
    parts.usage.record({ ...call, inputBytes, outputBytes: body.length, durationMs })
    return result
  } catch (error) {
    await chargedCall.giveBack().catch(parts.onFault)
    throw error
  }
}

/** Visitors of a page are told that it cannot be paid, not what its account has left. */
function refusalOf({ verdict, allowance }: Refused): ApiError {
  if (verdict === 'invalid_or_revoked_api_key') return new ApiError('source_not_found')
  if (verdict === 'monthly_limit_exceeded')
    return new ApiError(verdict, { ...(allowance.month && { retryAfterSeconds: allowance.month.endsInSeconds }) })
  return new ApiError('insufficient_credits', { message: 'The account of this source cannot pay for new images.' })
}
