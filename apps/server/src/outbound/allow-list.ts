import { BlockList, isIP, isIPv4 } from 'node:net'

/** Private hosts that the operator allows: EGRESS_ALLOW. */
export interface AllowList {
  /** Whether a name is listed for a port: then it may resolve to any address. */
  allowsName(name: string, port: number): boolean
  allowsAddress(address: string, port: number): boolean
}

interface Entry {
  readonly host: string
  /** Undefined: every port. */
  readonly port: number | undefined
  /** Undefined for a name. */
  readonly network: BlockList | undefined
}

/** `name`, `name:80`, `10.0.0.1`, `10.0.0.1:80`, `10.0.0.0/8`, `10.0.0.0/8:80`, `fd00::/8`, `[fd00::1]:80`, `[fd00::/8]:80` */
const ENTRY =
  /^(?:\[(?<bracketed>[^\]]+)\]|(?<v6>[0-9a-f:.]*:[0-9a-f:.]*:[0-9a-f:./]*)|(?<plain>[^:[\]]+))(?::(?<port>\d{1,5}))?$/i
/** The last label of a name is not a number; otherwise it would be an address in an unreadable form. */
const NAME = /^([a-z0-9_-]+\.)*(?!\d+$)[a-z0-9_-]+$/
const LAST_PORT = 65_535

const family = (address: string) => (isIPv4(address) ? 'ipv4' : 'ipv6')

/** A host without its trailing full stop. */
export const plainName = (host: string): string => host.toLowerCase().replace(/\.$/, '')

/** @throws Error saying which entry cannot be read */
export function parseAllowList(text: string): AllowList {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map(parseEntry)
  const onPort = (port: number) => entries.filter((entry) => entry.port === undefined || entry.port === port)
  return {
    allowsName: (name, port) => onPort(port).some(({ host, network }) => !network && host === plainName(name)),
    allowsAddress(address, port) {
      const [addressWithoutZone = ''] = address.split('%')
      return onPort(port).some(({ network }) => network?.check(addressWithoutZone, family(addressWithoutZone)) === true)
    },
  }
}

function parseEntry(text: string, index: number): Entry {
  const { bracketed, v6, plain = '', port } = ENTRY.exec(text)?.groups ?? {}
  const host = plainName(bracketed ?? v6 ?? plain)
  const network = networkOf(host)
  const number = port === undefined ? undefined : Number(port)
  const readable = (network !== undefined || NAME.test(host)) && (number === undefined || (number > 0 && number <= LAST_PORT))
  if (!readable) throw new Error(`must be names, IP addresses and networks; entry ${index + 1} is none`)
  return { host, port: number, network }
}

/** A single address is a network of one; undefined if it is neither. */
function networkOf(host: string): BlockList | undefined {
  const [address = '', prefix, ...rest] = host.split('/')
  const version = isIP(address)
  const bits = version === 4 ? 32 : 128
  const length = prefix === undefined ? bits : Number(prefix)
  if (version === 0 || rest.length > 0 || !/^\d{0,3}$/.test(prefix ?? '') || prefix === '' || length > bits) return undefined
  const network = new BlockList()
  network.addSubnet(address, length, family(address))
  return network
}
