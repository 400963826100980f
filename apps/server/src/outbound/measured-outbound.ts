import { type Span, traceHeaders, withSpan } from '@pixelmill/engine/tracing'
import type { Outbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'
import type { OutboundRequest, OutboundResponse } from './send.ts'

/** One request to another server, until the head of its answer. */
export interface OutboundCall {
  /** Who chose the address. */
  readonly address: 'caller' | 'operator'
  /** `2xx` to `5xx`, the kind of the failure, or `ended` if the caller aborted. */
  readonly outcome: string
  readonly seconds: number
}

type Send = (request: OutboundRequest) => Promise<OutboundResponse>

/** Reports each request. Trace headers are sent to servers of the operator, never to those of callers. */
export function measuredOutbound(outbound: Outbound, onCall: (call: OutboundCall) => void): Outbound {
  async function measureAddress(address: OutboundCall['address'], span: Span | undefined, send: () => Promise<OutboundResponse>) {
    const began = performance.now()
    let outcome = 'ended'
    try {
      const response = await send()
      outcome = `${Math.floor(response.status / 100)}xx`
      span?.setAttributes({ 'http.response.status_code': response.status })
      return response
    } catch (error) {
      if (error instanceof OutboundError) outcome = error.kind
      throw error
    } finally {
      onCall({ address, outcome, seconds: (performance.now() - began) / 1000 })
    }
  }
  function call(address: OutboundCall['address'], host: string | undefined, request: OutboundRequest, send: Send) {
    const { method = 'GET', headers } = request
    const facts = { 'http.request.method': method, 'server.address': host, 'pixelmill.address': address }
    return withSpan(
      method,
      facts,
      (span) => {
        const passedOn = span && address === 'operator' ? { ...headers, ...traceHeaders() } : headers
        return measureAddress(address, span, () => send(passedOn ? { ...request, headers: passedOn } : request))
      },
      'CLIENT',
    )
  }
  return {
    ...outbound,
    // The names of callers' servers are private: they appear in no trace.
    guardedFetch: (url, request) => call('caller', undefined, request, (sentRequest) => outbound.guardedFetch(url, sentRequest)),
    operatorFetch: (url, request) =>
      call('operator', URL.parse(url)?.hostname, request, (sentRequest) => outbound.operatorFetch(url, sentRequest)),
  }
}
