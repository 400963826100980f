import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import ipaddr from 'ipaddr.js'
import { clientNetwork } from '../accounts/throttle.ts'
import type { Config } from '../config.ts'
import { limits, MiB } from '../contract/limits.ts'
import { giveBackMemory } from '../rendering/give-back-memory.ts'

/** A refused body of up to this size is read past: twice the largest that most routes take, as some clients send a little too much. */
export const DRAIN_BYTES = 2 * limits.ai.bodyBytes

/** While the server stops: a round trip to anywhere, and time to read. */
const CLOSING_SECONDS = 1

/**
 * Closes connections so that what was written to them arrives (RFC 9112 §9.6). Closed at once while more is on its way to us, the
 * system would reset them, and a client that writes all before it reads would find a broken pipe.
 */
export interface HalfClose {
  /**
   * Of a request whose body was not read to its end by then. To be called before the answer; it does nothing where the
   * connection stays open.
   */
  afterAnswer(request: IncomingMessage): void
  /** Ends our side, and reads past what comes until the client has ended its own. */
  now(socket: Duplex): void
}

/** Reads past as much as the largest body that is taken, in the time that a body of one image has. */
export function halfClosing(
  { BATCH_ARCHIVE_MB, UPLOAD_TIMEOUT_S }: Pick<Config, 'BATCH_ARCHIVE_MB' | 'UPLOAD_TIMEOUT_S'>,
  closing: AbortSignal,
): HalfClose {
  const mostBytes = Math.max(DRAIN_BYTES, BATCH_ARCHIVE_MB * MiB + limits.formOverheadBytes)

  function now(socket: Duplex): void {
    let left = mostBytes
    const destroy = () => void socket.destroy()
    const hurry = () => void setTimeout(destroy, CLOSING_SECONDS * 1000).unref()
    const timer = setTimeout(destroy, UPLOAD_TIMEOUT_S * 1000).unref()
    function readPast(chunk: Buffer): void {
      left -= chunk.length
      giveBackMemory(chunk)
      if (left < 0) destroy()
    }
    // The HTTP parser reads no further: what follows is no request.
    const takeOver = () => void socket.removeAllListeners('data').on('data', readPast)
    socket.on('end', destroy).on('error', destroy)
    socket.once('close', () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', hurry)
    })
    if (closing.aborted) hurry()
    else closing.addEventListener('abort', hurry, { once: true })
    socket.end()
    if (socket.readableFlowing) {
      takeOver()
      return
    }
    // Only while the parser holds the connection does a paused one begin to read again.
    socket.once('resume', takeOver)
    socket.resume()
  }
  return {
    now,
    afterAnswer(request) {
      const { socket } = request
      // Node calls this when the last answer of a connection was sent.
      socket.destroySoon = () => {
        Reflect.deleteProperty(socket, 'destroySoon')
        if (request.complete) socket.destroySoon()
        else now(socket)
      }
    },
  }
}

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

/** How long a client may take nothing of an answer that waits for it, and how long once the server stops. */
export interface Patience {
  readonly seconds: number
  readonly closingSeconds: number
}

/**
 * Breaks the connection of a client that takes nothing of its answer. To be called before the answer is sent. Time in which
 * there is nothing to take, because the store is slow or an event stream is silent, is not the client's.
 */
export function breakIfStalled(answer: ServerResponse, { seconds, closingSeconds }: Patience, closing: AbortSignal): void {
  // Node counts from the last write or from when the system last took some of it; while a large write moves it calls nobody.
  answer.setTimeout(seconds * 1000, () => {
    const { socket } = answer
    if (socket && socket.writableLength > 0) socket.destroy()
  })
  const hurry = () => void answer.socket?.setTimeout(closingSeconds * 1000)
  if (closing.aborted) hurry()
  closing.addEventListener('abort', hurry)
  answer.once('close', () => closing.removeEventListener('abort', hurry))
}
