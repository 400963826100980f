import type { Socket } from 'node:net'
import ipaddr from 'ipaddr.js'
import { clientNetwork } from '../accounts/client-network.ts'

/** Connections without a request under way, of which one address may keep only so many. */
export interface IdleConnections {
  /** The connection is new, or its answer was sent. */
  begin(socket: Socket): void
  /** A request came over it. */
  end(socket: Socket): void
}

/** A connection that was just opened has this long to send its request, however many others wait. */
const GRACE_MS = 2_000

/** What the names stand for that TRUSTED_PROXIES takes: RFC 6890 has the networks. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Closes connections that have been idle for longest once an address (of IPv6 a network of 64 bits) has more than `most`. Those of
 * trusted proxies are left alone, as they are of all clients. With 0 none is closed.
 */
export function idleConnections(most: number, trustedProxies: readonly string[]): IdleConnections {
  const isProxy = proxies(trustedProxies)
  /** By network, and since when by performance.now(), the oldest first. */
  const networks = new Map<string, Map<Socket, number>>()
  const crowded = new Set<string>()
  let looking: NodeJS.Timeout | undefined

  function close(network: string): void {
    const idle = networks.get(network)
    const before = performance.now() - GRACE_MS
    for (const [socket, since] of idle ?? []) {
      if (!idle || idle.size <= most || since > before) break
      leave(network, socket)
      socket.destroy()
    }
    if (!idle || idle.size <= most) crowded.delete(network)
  }
  function look(): void {
    for (const network of crowded) close(network)
    if (crowded.size > 0) return
    clearInterval(looking)
    looking = undefined
  }
  function leave(network: string, socket: Socket): void {
    const idle = networks.get(network)
    idle?.delete(socket)
    if (idle?.size === 0) networks.delete(network)
  }
  const networkOf = new WeakMap<Socket, string>()
  return {
    begin(socket) {
      const { remoteAddress } = socket
      if (most === 0 || socket.destroyed || remoteAddress === undefined || isProxy(remoteAddress)) return
      const network = networkOf.get(socket) ?? clientNetwork(remoteAddress)
      if (!networkOf.has(socket)) {
        networkOf.set(socket, network)
        socket.once('close', () => leave(network, socket))
      }
      const idle = networks.get(network) ?? new Map<Socket, number>()
      networks.set(network, idle)
      idle.delete(socket)
      idle.set(socket, performance.now())
      if (idle.size <= most) return
      crowded.add(network)
      looking ??= setInterval(look, GRACE_MS / 2).unref()
    },
    end(socket) {
      const network = networkOf.get(socket)
      if (network !== undefined) leave(network, socket)
    },
  }
}

function proxies(names: readonly string[]): (address: string) => boolean {
  const networks = names
    .flatMap((name) => RANGES[name] ?? [name])
    .map((range) => {
      const [address = '', prefix] = range.split('/')
      const parsed = ipaddr.process(address)
      return [parsed, Number(prefix ?? (parsed.kind() === 'ipv6' ? 128 : 32))] as const
    })
  return (text) => {
    // Also an IPv4 address as a socket of IPv6 tells it.
    const address = ipaddr.process(text)
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}
