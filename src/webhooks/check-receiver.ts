import { invalidParam } from '../contract/api-error.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { OutboundError } from '../outbound/outbound-error.ts'

/**
 * Whether a URL may be kept to deliver to; it is checked again at each connection.
 * @param field the parameter that it came in
 * @throws ApiError invalid_params in the same words for a host that is private and one that does not exist
 */
export async function checkReceiver(outbound: Pick<Outbound, 'checkAddress'>, field: string, url: string): Promise<void> {
  await outbound.checkAddress(url).catch((error: unknown) => {
    throw error instanceof OutboundError ? invalidParam(field, 'invalid_value', error.message) : error
  })
}
