import type { Outbound } from './outbound.ts'
import { refusal } from './outbound-error.ts'
import type { OutboundRequest, OutboundResponse } from './send.ts'

export interface FollowedRequest extends OutboundRequest {
  /** How many redirects are followed; 0 returns the first answer, whatever it is. */
  readonly redirects: number
  /** Sent to the first origin only: a redirect to another scheme, host or port drops them for good. */
  readonly privateHeaders?: Readonly<Record<string, string>> | undefined
}

const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308]

/**
 * A GET that follows redirects. The deadline is for all of them, and each address is checked as the first one is.
 * @param send guardedFetch, if a caller chose the address
 * @throws OutboundError also for too many redirects, and for one to no address; the signal's reason
 */
export async function followRedirects(
  address: string,
  send: Outbound['guardedFetch'],
  { redirects, privateHeaders, ...request }: FollowedRequest,
): Promise<OutboundResponse> {
  const end = performance.now() + request.deadlineMs
  let url = address
  let ownHeaders = privateHeaders
  for (let redirectCount = 0; ; redirectCount++) {
    const deadlineMs = Math.max(1, end - performance.now())
    const response = await send(url, { ...request, deadlineMs, headers: { ...request.headers, ...ownHeaders } })
    if (redirects === 0 || !REDIRECTS.includes(response.status)) return response
    response.discard()
    if (redirectCount === redirects) throw refusal('redirects', `more than ${redirects} redirects`)
    const target = URL.parse(response.header('location') ?? '', url)
    if (response.header('location') === null || !target) throw refusal('redirects', 'a redirect to no address')
    if (target.origin !== URL.parse(url)?.origin) ownHeaders = undefined
    url = target.href
  }
}
