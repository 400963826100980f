import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector, type Dispatcher } from 'undici'
import { type AddressRules, allowedAddresses, type Resolve } from './resolve.ts'

/** Pools of open connections: those for callers check their destination, those for the operator do not. */
export interface Connections {
  readonly guarded: Dispatcher
  readonly operators: Dispatcher
}

/** Callers choose the origins, so their pool is bounded: connections for each origin, number of origins, and idle time. */
const POOLS = { connections: 8, maxOrigins: 1_000, keepAliveTimeout: 4_000, keepAliveMaxTimeout: 10_000 } as const
const CONNECT_MS = 5_000
/**
 * Bytes of one answer as received: stops compressed bodies that inflate to nothing. Originals of deliveries have up to 15 MB. A service that the operator chose may send a
 * cut-out picture, so its limit is the largest accepted one (apps/server/src/background/call.ts).
 */
const RAW_BYTES = { guarded: 16 * 1024 * 1024, operators: 64 * 1024 * 1024 } as const

const agent = (connect: buildConnector.connector, maxResponseSize: number): Agent =>
  new Agent({ ...POOLS, maxResponseSize, connect })
const connector = (lookup?: LookupFunction) =>
  buildConnector({ timeout: CONNECT_MS, allowH2: false, maxCachedSessions: 0, ...(lookup && { lookup }) })

export function openConnections(rules: AddressRules): Connections {
  const guardedAgent = agent((target, callback) => {
    const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
    connector(checkedLookup((name) => allowedAddresses(name, port, rules)))(target, callback)
  }, RAW_BYTES.guarded)
  return { guarded: guardedAgent, operators: agent(connector(), RAW_BYTES.operators) }
}

/**
 * Node's `lookup` of a socket. It is called once for each connection, and the connection goes to the address that it returns: a
 * second DNS answer cannot replace it.
 */
const checkedLookup =
  (addressesOf: Resolve): LookupFunction =>
  (name, { all }, callback) => {
    addressesOf(name).then(
      (addresses) => {
        const lookedUpAddresses = addresses.map((address) => ({ address, family: isIP(address) }))
        if (all) callback(null, lookedUpAddresses)
        else callback(null, lookedUpAddresses[0]?.address ?? '', lookedUpAddresses[0]?.family ?? 0)
      },
      (error: Error) => callback(error, []),
    )
  }
