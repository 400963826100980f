import { isIP } from 'node:net'
import { type AllowList, plainName } from './allow-list.ts'
import { refusal } from './outbound-error.ts'
import { whyNotPublic } from './public-address.ts'

const LONGEST = 2_048
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

/** The "bad ports" of the Fetch standard above 1023: mail, phone and chat servers that would read HTTP as commands. */
const BAD_PORTS = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10_080,
])
const mayUsePort = (port: number): boolean => port === 80 || port === 443 || (port > 1_023 && !BAD_PORTS.has(port))

/** Names that never are on the public internet: RFC 6761, 6762, 7686, 8375, 9476 and common names of private networks. */
const PRIVATE_NAME =
  /(^|\.)(localhost|localdomain|local|internal|intranet|private|lan|home|corp|svc|cluster|alt|home\.arpa|onion|test|invalid|example)$/

export interface Destination {
  readonly url: URL
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
}

/**
 * Checks a URL as far as possible before its name is resolved. The URL parser has already converted decimal, octal, hexadecimal,
 * short and full-width spellings of an IPv4 address.
 * @throws OutboundError refused
 */
export function checkUrl(text: string, allow: AllowList): Destination {
  const url = text.length <= LONGEST ? URL.parse(text) : null
  const defaultPort = DEFAULT_PORTS[url?.protocol ?? '']
  if (!url || defaultPort === undefined) throw refusal('url', 'not an http or https URL')
  if (url.username !== '' || url.password !== '') throw refusal('credentials', 'credentials in the URL')
  const host = plainName(url.hostname.replace(/^\[|\]$/g, ''))
  const destination = { url, host, port: url.port === '' ? defaultPort : Number(url.port) }
  const reason = isIP(host) === 0 ? whyNotPublicName(destination, allow) : whyRefusedAddress(host, destination.port, allow)
  if (reason !== undefined) throw refusal('address', reason, destination)
  if (!isListed(destination, allow) && !mayUsePort(destination.port))
    throw refusal('port', `port ${destination.port}`, destination)
  return destination
}

/** Why no connection may be made to an address, for the log; undefined when it may. */
export const whyRefusedAddress = (address: string, port: number, allow: AllowList): string | undefined =>
  isIP(address) !== 0 && allow.allowsAddress(address, port) ? undefined : whyNotPublic(address)

function whyNotPublicName({ host, port }: Destination, allow: AllowList): string | undefined {
  if (allow.allowsName(host, port)) return undefined
  if (!host.includes('.')) return 'single-label name'
  return PRIVATE_NAME.test(host) ? 'private name' : undefined
}

const isListed = ({ host, port }: Destination, allow: AllowList): boolean =>
  isIP(host) === 0 ? allow.allowsName(host, port) : allow.allowsAddress(host, port)
