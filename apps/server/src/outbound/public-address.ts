import { BlockList, isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The part of IPv6 from which IANA assigns public addresses; the rest is reserved, whatever a table calls it. */
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')

/** Azure's wire server: it serves secrets of the virtual machine at an address that is registered as public. */
const AZURE_WIRE_SERVER = '168.63.129.16'

/** ISATAP (RFC 5214, §6.1) keeps an IPv4 address, private ones included, behind 0:5efe or 200:5efe. */
const isIsatap = ({ parts }: ipaddr.IPv6): boolean => parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200)

/**
 * Why an IP address is not on the public internet, for the log; undefined if it is. IPv4 inside IPv6 is treated as the IPv4
 * address (mapped), or refused (NAT64, 6to4, Teredo, ISATAP): a gateway could route it anywhere.
 */
export function whyNotPublic(address: string): string | undefined {
  // A zone (fe80::1%eth0) names an interface of this machine.
  if (isIP(address) === 0 || address.includes('%')) return 'not an address'
  const parsedAddress = ipaddr.process(address)
  const range = parsedAddress.range()
  if (range !== 'unicast') return range
  if (parsedAddress.toString() === AZURE_WIRE_SERVER) return 'azure wire server'
  if (!(parsedAddress instanceof ipaddr.IPv6)) return undefined
  if (!globalUnicast.check(parsedAddress.toString(), 'ipv6')) return 'not global unicast'
  return isIsatap(parsedAddress) ? 'isatap' : undefined
}
