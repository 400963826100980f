import type { Outbound } from './outbound.ts'
import { OutboundError } from './outbound-error.ts'
import type { OutboundResponse } from './send.ts'

/** One request to another server, until the head of its answer. */
export interface OutboundCall {
  /** Who named the address. */
  readonly address: 'caller' | 'operator'
  /** `2xx` to `5xx`, the kind of the failure, or `ended` by who asked. */
  readonly outcome: string
  readonly seconds: number
}

/** The same door, whose requests are told of. */
export function measuredOutbound(outbound: Outbound, onCall: (call: OutboundCall) => void): Outbound {
  async function measured(address: OutboundCall['address'], work: () => Promise<OutboundResponse>): Promise<OutboundResponse> {
    const began = performance.now()
    let outcome = 'ended'
    try {
      const response = await work()
      outcome = `${Math.floor(response.status / 100)}xx`
      return response
    } catch (error) {
      if (error instanceof OutboundError) outcome = error.kind
      throw error
    } finally {
      onCall({ address, outcome, seconds: (performance.now() - began) / 1000 })
    }
  }
  return {
    ...outbound,
    guardedFetch: (url, request) => measured('caller', () => outbound.guardedFetch(url, request)),
    operatorFetch: (url, request) => measured('operator', () => outbound.operatorFetch(url, request)),
  }
}
