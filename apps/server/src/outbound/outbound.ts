import { isIP } from 'node:net'
import type { AllowList } from './allow-list.ts'
import { checkUrl } from './check-url.ts'
import { type AddressRules, allowedAddresses, type Resolve, resolveByDns } from './resolve.ts'
import type { OutboundRequest, OutboundResponse } from './send.ts'

/** The only way to other servers: nothing else may open an HTTP connection (test/architecture.test.ts). */
export interface Outbound {
  /**
   * Checks whether a URL of a caller may be stored: when it is given, long before it is called.
   * @throws OutboundError refused, dns
   */
  checkAddress(url: string): Promise<void>
  /**
   * Calls a URL chosen by a caller. Each connection goes to exactly the address that was checked for it.
   * @throws OutboundError; the signal's reason once that aborts
   */
  guardedFetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  /**
   * Calls a URL set by the operator, at any address, under the same limits. Never for a URL that a caller may choose.
   * @throws OutboundError; the signal's reason once that aborts
   */
  operatorFetch(url: string, request: OutboundRequest): Promise<OutboundResponse>
  close(): Promise<void>
}

export interface OutboundSettings {
  readonly allow: AllowList
  /** DNS by default; replaced in tests. */
  readonly resolve?: Resolve
}

export function openOutbound({ allow, resolve = (name) => resolveByDns(name) }: OutboundSettings): Outbound {
  const rules = { allow, resolve }
  let openedSender: ReturnType<typeof openSender> | undefined
  // The HTTP client takes 21 MB, which a server that makes no outbound calls does not need.
  const sender = () => (openedSender ??= openSender(rules))
  return {
    async checkAddress(text) {
      const { host, port } = checkUrl(text, allow)
      if (isIP(host) === 0) await allowedAddresses(host, port, rules)
    },
    // Node does not look up a host that is an IP address: for these, checkUrl is the only check.
    async guardedFetch(url, request) {
      const checkedUrl = checkUrl(url, allow).url
      const { send, guarded } = await sender()
      return send(guarded, checkedUrl, request)
    },
    async operatorFetch(url, request) {
      const { send, operators } = await sender()
      return send(operators, new URL(url), request)
    },
    async close() {
      const { guarded, operators } = (await openedSender) ?? {}
      await Promise.all([guarded?.destroy(), operators?.destroy()])
    },
  }
}

async function openSender(rules: AddressRules) {
  const [{ openConnections }, { send }] = await Promise.all([import('./connections.ts'), import('./send.ts')])
  return { send, ...openConnections(rules) }
}
