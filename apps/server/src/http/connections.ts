import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'
import { limits } from '@pixelmill/codecs/contract/limits'
import { giveBackMemory } from '@pixelmill/engine/rendering/protocol'
import ipaddr from 'ipaddr.js'
import { clientNetwork } from '../accounts/throttle.ts'
import type { Config } from '../config.ts'

/** At most so much of a refused body is read and discarded: one image as a form, so that its sender sees the answer. */
export const DRAIN_BYTES = limits.uploadBytes + limits.formOverheadBytes

/** For a body that is larger, or does not say how large it is. A client that reads while it sends has its answer by then. */
const DRAIN_SECONDS = 2

/** Whether a refused body is no larger than what is read of it. */
export const isDrained = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= DRAIN_BYTES

/** While the server stops: enough for a round trip to anywhere and for the client to read. */
const CLOSING_SECONDS = 1

/**
 * Closes connections in two steps, so that the answer arrives (RFC 9112 §9.6). If a connection were closed while the client still sends,
 * the system would reset it, and a client that writes everything before it reads would get a broken pipe.
 */
export interface HalfClose {
  /**
   * Half-closes the connection after the answer to a request whose body has not been read to its end. To be called before the answer;
   * it does nothing where the connection stays open.
   */
  afterAnswer(request: IncomingMessage): void
  /** Ends our side, and discards what comes until the client has ended its own, within DRAIN_BYTES and so many seconds. */
  now(socket: Duplex, seconds?: number): void
}

/** A body of the size of an image may take as long as the upload of one. What exceeds the limits is reset by the system. */
export function halfClosing({ UPLOAD_TIMEOUT_S }: Pick<Config, 'UPLOAD_TIMEOUT_S'>, closing: AbortSignal): HalfClose {
  function now(socket: Duplex, seconds = DRAIN_SECONDS): void {
    let left = DRAIN_BYTES
    const destroy = () => void socket.destroy()
    const shorten = () => void setTimeout(destroy, CLOSING_SECONDS * 1000).unref()
    const timer = setTimeout(destroy, seconds * 1000).unref()
    function discard(chunk: Buffer): void {
      left -= chunk.length
      giveBackMemory(chunk)
      if (left < 0) destroy()
    }
    // Removes the HTTP parser: what follows is not read as a request.
    const takeOver = () => void socket.removeAllListeners('data').on('data', discard)
    socket.on('end', destroy).on('error', destroy)
    socket.once('close', () => {
      clearTimeout(timer)
      closing.removeEventListener('abort', shorten)
    })
    if (closing.aborted) shorten()
    else closing.addEventListener('abort', shorten, { once: true })
    socket.end()
    if (socket.readableFlowing) {
      takeOver()
      return
    }
    // A paused connection resumes only while the parser still holds it.
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
        else now(socket, isDrained(request) ? UPLOAD_TIMEOUT_S : DRAIN_SECONDS)
      }
    },
  }
}

/** Limits the connections without a request in flight that one address may keep. */
export interface IdleConnections {
  /** A client has connected, and sent nothing yet. Sockets that were never opened are not counted. */
  addConnection(socket: Socket): void
  /** A request has come on the connection. */
  end(socket: Socket): void
  /** Its answer has been sent. */
  begin(socket: Socket): void
}

/** A connection that was just opened has this long to send its request, however many others are idle. */
const GRACE_MS = 2_000

/** The names that TRUSTED_PROXIES accepts: RFC 6890 has the networks. */
const RANGES: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}

/**
 * Closes the connections that have been idle longest once an address (of IPv6 a network of 64 bits) has more than `most`. Those of
 * trusted proxies stay open, as they carry the requests of all clients. With 0 none is closed. A connection that cannot be closed
 * is reported, and keeps no other one open.
 */
export function idleConnections(
  most: number,
  trustedProxies: readonly string[],
  onFault: (error: unknown) => void,
): IdleConnections {
  const isProxy = proxies(trustedProxies)
  /** By network: idle since when, by performance.now(), the oldest first. */
  const networks = new Map<string, Map<Socket, number>>()
  const crowdedTexts = new Set<string>()
  let timer: NodeJS.Timeout | undefined

  function close(network: string): void {
    const idle = networks.get(network)
    const before = performance.now() - GRACE_MS
    for (const [socket, since] of idle ?? []) {
      if (!idle || idle.size <= most || since > before) break
      leave(network, socket)
      destroy(socket)
    }
    if (!idle || idle.size <= most) crowdedTexts.delete(network)
  }
  function destroy(socket: Socket): void {
    try {
      socket.destroy()
    } catch (error) {
      onFault(error)
    }
  }
  function closeOldest(): void {
    for (const network of crowdedTexts) close(network)
    if (crowdedTexts.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
  function leave(network: string, socket: Socket): void {
    const idle = networks.get(network)
    idle?.delete(socket)
    if (idle?.size === 0) networks.delete(network)
  }
  /** Of the connections that are counted. */
  const networkOf = new WeakMap<Socket, string>()
  function begin(socket: Socket): void {
    const network = networkOf.get(socket)
    if (network === undefined || socket.destroyed) return
    const idle = networks.get(network) ?? new Map<Socket, number>()
    networks.set(network, idle)
    idle.delete(socket)
    idle.set(socket, performance.now())
    if (idle.size <= most) return
    crowdedTexts.add(network)
    timer ??= setInterval(closeOldest, GRACE_MS / 2).unref()
  }
  return {
    addConnection(socket) {
      const { remoteAddress } = socket
      if (most === 0 || remoteAddress === undefined || isProxy(remoteAddress)) return
      const network = clientNetwork(remoteAddress)
      networkOf.set(socket, network)
      socket.once('close', () => leave(network, socket))
      begin(socket)
    },
    begin,
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
      const parsedPv4 = ipaddr.process(address)
      return [parsedPv4, Number(prefix ?? (parsedPv4.kind() === 'ipv6' ? 128 : 32))] as const
    })
  return (text) => {
    // `process` also reads an IPv4 address in the form that a socket of IPv6 reports.
    const address = ipaddr.process(text)
    return networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits))
  }
}

/** How long a client may read nothing of its answer, and how long once the server stops. */
export interface StallLimits {
  readonly seconds: number
  readonly closingSeconds: number
}

/**
 * Closes the connection of a client that reads nothing of its answer. To be called before the answer is sent. Time in which there is
 * nothing to read, because the store is slow or an event stream is silent, does not count.
 */
export function breakIfStalled(answer: ServerResponse, { seconds, closingSeconds }: StallLimits, closing: AbortSignal): void {
  // Node counts from the last write, or from when the system last accepted some of it; while a large write progresses nothing is called.
  answer.setTimeout(seconds * 1000, () => {
    const { socket } = answer
    if (socket && socket.writableLength > 0) socket.destroy()
  })
  const shorten = () => void answer.socket?.setTimeout(closingSeconds * 1000)
  if (closing.aborted) shorten()
  closing.addEventListener('abort', shorten)
  answer.once('close', () => closing.removeEventListener('abort', shorten))
}

/** How long a new connection may wait for its first request once the server stops: a browser opens some that it may never use. */
const FIRST_REQUEST_MS = 1_000

const LONGEST_WAIT_MS = 2_000
const PAUSE_MS = 5

/**
 * A turn of the event loop accepts every connection that waits. One as short as this leaves hardly time for another before the port closes;
 * a busy server has to take a longer one in the end.
 */
const shortTurnMs = (waitedMs: number): number => 1 + waitedMs / 100

/**
 * Returns what to wait for right before a server stops listening. The system resets connections that wait to be accepted then, and Node
 * ends those that have brought no request yet: their requests would be lost. New ones are therefore left open for a while.
 */
export function lastConnections(server: Server): () => Promise<void> {
  /** Since when, by performance.now(). */
  const open = new Map<Socket, number>()
  const busy = new Set<Socket>()
  server.on('connection', (socket) => {
    open.set(socket, performance.now())
    socket.once('close', () => open.delete(socket))
  })
  const follow = ({ socket }: IncomingMessage, answer: ServerResponse) => {
    busy.add(socket)
    answer.once('close', () => busy.delete(socket))
  }
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, follow)

  // Node calls it when the server is closed.
  server.closeIdleConnections = () => {
    for (const [socket, since] of open) {
      if (socket.bytesRead === 0) closeIfUnused(socket, since + FIRST_REQUEST_MS)
      // Where our side has ended already, its client still reads: halfClosing limits that.
      else if (!busy.has(socket) && !socket.writableEnded) socket.destroy()
    }
  }
  return async () => {
    for (const began = performance.now(); ; await sleep(PAUSE_MS)) {
      const at = performance.now()
      await turn()
      const now = performance.now()
      if (now - at < shortTurnMs(at - began) || now - began > LONGEST_WAIT_MS) return
    }
  }
}

function closeIfUnused(socket: Socket, at: number): void {
  const timer = setTimeout(() => socket.bytesRead === 0 && socket.destroy(), Math.max(0, at - performance.now()))
  socket.once('close', () => clearTimeout(timer))
}
