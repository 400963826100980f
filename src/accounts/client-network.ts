import { isIPv6 } from 'node:net'

const V4_IN_V6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** `2001:db8::1` → its first four groups; `::` stands for as many zeros as are missing. */
function first64Bits(address: string): string {
  const [head = '', tail] = address.split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const missing = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** What one person commands: an IPv4 address, or the 64 bits of IPv6 that a provider gives to each connection. */
export function clientNetwork(address: string): string {
  const [bare = ''] = address.split('%')
  const v4 = V4_IN_V6.exec(bare)?.[1]
  if (v4) return v4
  return isIPv6(bare) ? `${first64Bits(bare)}::/64` : bare
}
