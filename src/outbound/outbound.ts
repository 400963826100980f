import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import type { AllowList } from './allow-list.ts'
import { checkUrl } from './check-url.ts'
import { allowedAddresses, type Resolve, resolveByDns } from './resolve.ts'
import { type OutboundRequest, type OutboundResponse, send } from './send.ts'

/** The only way out of the server: nothing else may open an HTTP connection (test/architecture.test.ts). */
export interface Outbound {
  /**
   * Whether a URL of a caller may be kept: for when it is given, long before it is called.
   * @throws OutboundError refused, dns
   */
  checkAddress(url: string): Promise<void>
  /**
   * Calls a URL that a caller named. What is connected to is the very address that was checked, at each connection anew.
   * @throws OutboundError; the signal's reason once that aborts
   */
  guardedFetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  /**
   * Calls a URL that the operator set, wherever it leads, under the same caps. Never for what a caller may choose.
   * @throws OutboundError; the signal's reason once that aborts
   */
  operatorFetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  close(): Promise<void>
}

export interface OutboundSettings {
  readonly allow: AllowList
  /** The seam for tests; else DNS. */
  readonly resolve?: Resolve
}

/** Callers choose the origins, so what is kept open for them is bounded: connections of one, origins, and how long an idle one stays. */
const POOLS = { connections: 8, maxOrigins: 1_000, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 10_000 } as const
const CONNECT_MS = 5_000
/** Bytes of one answer as they come: an end to compressed bodies that inflate to nothing. */
const RAW_BYTES = 8 * 1024 * 1024

const agent = (connect: buildConnector.connector): Agent => new Agent({ ...POOLS, maxResponseSize: RAW_BYTES, connect })
const connector = (lookup?: LookupFunction) =>
  buildConnector({ timeout: CONNECT_MS, allowH2: false, maxCachedSessions: 0, ...(lookup && { lookup }) })

export function openOutbound({ allow, resolve = (name) => resolveByDns(name) }: OutboundSettings): Outbound {
  const addressesOf = (name: string, port: number) => allowedAddresses(name, port, { allow, resolve })
  const guarded = agent((target, done) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    connector(checkedLookup((name) => addressesOf(name, port)))(target, done)
  })
  const operators = agent(connector())
  return {
    async checkAddress(text) {
      const { host, port } = checkUrl(text, allow)
      if (isIP(host) === 0) await addressesOf(host, port)
    },
    // Node looks up no name that is an address already: of those, checkUrl is the check.
    guardedFetch: async (url, request) => send(guarded, checkUrl(url, allow).url, request),
    operatorFetch: async (url, request) => send(operators, new URL(url), request),
    async close() {
      await Promise.all([guarded.destroy(), operators.destroy()])
    },
  }
}

/** Node's `lookup` of a socket. It is asked once for each connection, and what it hands over is what is connected to: no second answer can slip in. */
const checkedLookup =
  (addressesOf: Resolve): LookupFunction =>
  (name, { all }, done) => {
    addressesOf(name).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }))
        if (all) done(null, found)
        else done(null, found[0]?.address ?? '', found[0]?.family ?? 0)
      },
      (error: Error) => done(error, []),
    )
  }
