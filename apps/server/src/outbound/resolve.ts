import { lookup, Resolver } from 'node:dns/promises'
import { type AllowList, plainName } from './allow-list.ts'
import { whyRefusedAddress } from './check-url.ts'
import { OutboundError, refusal } from './outbound-error.ts'

/** All IPv4 and IPv6 addresses of a name; empty if it has none. */
export type Resolve = (name: string) => Promise<readonly string[]>

/** Name resolution and the rules for addresses. */
export interface AddressRules {
  readonly allow: AllowList
  readonly resolve: Resolve
}

/** Error codes for a name that does not exist, or has no address. */
const NO_ADDRESS = new Set(['ENOTFOUND', 'ENODATA'])
const MOST_ADDRESSES = 8
/** c-ares doubles it for the second attempt; both must end before the connection's own timeout. */
const TRY_MS = 1_000

/**
 * Queries the name servers by c-ares, not by getaddrinfo: that blocks one of the four threads that files need as well, and a
 * caller's name server may be as slow as it likes. c-ares ignores the hosts file.
 * @param servers `address:port` of name servers; by default those of the machine
 */
export const resolveByDns = async (name: string, servers?: readonly string[]): Promise<readonly string[]> => {
  // A new resolver each time, since it reads resolv.conf only once.
  const resolver = new Resolver({ timeout: TRY_MS, tries: 2 })
  if (servers) resolver.setServers(servers)
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
  const foundAddresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  const fault = answers.find((answer) => answer.status === 'rejected' && !NO_ADDRESS.has(answer.reason?.code))
  if (foundAddresses.length === 0 && fault?.status === 'rejected') throw fault.reason
  return foundAddresses
}

/** For names that the operator lists: includes the hosts file, like other programs on the machine. */
const resolveBySystem: Resolve = async (name) => (await lookup(name, { all: true })).map(({ address }) => address)

/**
 * The addresses that a connection to a name may use. If one is not public, all are refused: such an answer is an attack or a
 * fault.
 * @throws OutboundError refused, dns
 */
export async function allowedAddresses(name: string, port: number, { allow, resolve }: AddressRules): Promise<readonly string[]> {
  const place = { host: plainName(name), port }
  const isListed = allow.allowsName(name, port)
  const foundAddresses = await (isListed ? resolveBySystem : resolve)(place.host).catch((error: unknown) => {
    throw new OutboundError('dns', 'address', 'look-up failed', error, place)
  })
  if (foundAddresses.length === 0) throw new OutboundError('dns', 'address', 'no address', undefined, place)
  const reason = isListed ? undefined : foundAddresses.map((address) => whyRefusedAddress(address, port, allow)).find(Boolean)
  if (reason !== undefined) throw refusal('address', reason, place)
  return foundAddresses.slice(0, MOST_ADDRESSES)
}
