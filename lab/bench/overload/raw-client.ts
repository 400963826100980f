import { connect, type Socket } from 'node:net'

/** A request as sent over the wire, built before the clock starts. */
export interface RawRequest {
  readonly head: Buffer
  readonly body: Buffer
}

/** The outcome of a request: a status, or no response. */
export type End = number | 'lost' | 'timed out'

/** Called once for each request; `retryAfterSeconds` is 0 if none was sent. */
export type OnEnd = (end: End, retryAfterSeconds: number) => void

/** It stands for as many clients as needed, each with a connection that it keeps alive while the server does. */
export interface RawClient {
  send(request: RawRequest, onEnd: OnEnd): void
  /** Requests in flight. */
  inFlight(): number
  close(): void
}

interface Connection {
  readonly socket: Socket
  /** The received part of the response's head; once it is complete, the number of remaining bytes. */
  head: string
  toCome: number
  status: number
  retryAfterSeconds: number
  closes: boolean
  since: number
  onEnd: OnEnd | undefined
}

const READ_BYTES = 64 * 1024
const LOOK_MS = 1_000
/** Every client has a link of 100 Mbit/s: an upload of 400 KB takes 32 ms, and stops when it is refused. */
const PIECE_BYTES = 64 * 1024
const PIECE_MS = 5

export const rawClient = (port: number, patienceMs: number): RawClient => new SocketClient(port, patienceMs)

/** Parses only the HTTP features that the service's responses use, so that the generator uses little of the shared cores. */
class SocketClient implements RawClient {
  readonly #port: number
  readonly #idle: Connection[] = []
  readonly #busy = new Set<Connection>()
  /** Data still to be sent. */
  readonly #uploads = new Map<Connection, Buffer>()
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES)
  readonly #uplink: NodeJS.Timeout
  readonly #watch: NodeJS.Timeout

  constructor(port: number, patienceMs: number) {
    this.#port = port
    this.#uplink = setInterval(() => this.#sendPieces(), PIECE_MS)
    this.#watch = setInterval(() => this.#endBefore(performance.now() - patienceMs), LOOK_MS)
  }

  send({ head, body }: RawRequest, onEnd: OnEnd): void {
    const one = this.#idle.pop() ?? this.#open()
    Object.assign(one, { head: '', toCome: 0, status: 0, retryAfterSeconds: 0, since: performance.now(), onEnd })
    this.#busy.add(one)
    one.socket.cork()
    one.socket.write(head)
    one.socket.write(body.subarray(0, PIECE_BYTES))
    one.socket.uncork()
    if (body.length > PIECE_BYTES) this.#uploads.set(one, body.subarray(PIECE_BYTES))
  }

  inFlight(): number {
    return this.#busy.size
  }

  close(): void {
    clearInterval(this.#uplink)
    clearInterval(this.#watch)
    for (const { socket } of [...this.#idle, ...this.#busy]) socket.destroy()
  }

  #open(): Connection {
    const callback = (bytes: number) => {
      this.#read(one, bytes)
      return true
    }
    const onread = { buffer: this.#buffer, callback }
    const socket = connect({ host: '127.0.0.1', port: this.#port, noDelay: true, onread })
    const one: Connection = {
      socket,
      head: '',
      toCome: 0,
      status: 0,
      retryAfterSeconds: 0,
      closes: false,
      since: 0,
      onEnd: undefined,
    }
    // The close event that follows reports it too.
    socket.on('error', () => {})
    socket.on('close', () => {
      const at = this.#idle.indexOf(one)
      if (at >= 0) this.#idle.splice(at, 1)
      else if (one.onEnd) this.#finish(one, 'lost')
    })
    return one
  }

  #read(one: Connection, bytes: number): void {
    if (one.status > 0) one.toCome -= bytes
    else readHead(one, this.#buffer.toString('latin1', 0, bytes))
    if (one.status > 0 && one.toCome <= 0) this.#finish(one, one.status)
  }

  #finish(one: Connection, end: End): void {
    this.#busy.delete(one)
    const { onEnd, socket, retryAfterSeconds } = one
    one.onEnd = undefined
    // A client that gets a response before it has sent everything stops sending, as curl does.
    const isCut = this.#uploads.delete(one) || socket.writableLength > 0
    if (typeof end !== 'number' || one.closes || isCut) socket.destroy()
    else this.#idle.push(one)
    onEnd?.(end, retryAfterSeconds)
  }

  #sendPieces(): void {
    for (const [one, rest] of this.#uploads) {
      one.socket.write(rest.subarray(0, PIECE_BYTES))
      if (rest.length > PIECE_BYTES) this.#uploads.set(one, rest.subarray(PIECE_BYTES))
      else this.#uploads.delete(one)
    }
  }

  #endBefore(moment: number): void {
    for (const one of this.#busy) if (one.since < moment) this.#finish(one, 'timed out')
  }
}

function readHead(one: Connection, text: string): void {
  one.head += text
  const end = one.head.indexOf('\r\n\r\n')
  if (end < 0) return
  const head = one.head.slice(0, end).toLowerCase()
  one.status = Number(head.slice(9, 12))
  one.retryAfterSeconds = Number(/\r\nretry-after: (\d+)/.exec(head)?.[1] ?? 0)
  one.closes = head.includes('\r\nconnection: close')
  one.toCome = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1] ?? 0) - (one.head.length - end - 4)
}
