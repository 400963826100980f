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

/** Parses only the HTTP features that the service's responses use, so that the generator uses little of the shared cores. */
export function rawClient(port: number, patienceMs: number): RawClient {
  const idle: Connection[] = []
  const busy = new Set<Connection>()
  /** Data still to be sent. */
  const uploading = new Map<Connection, Buffer>()
  const sharedBuffer = Buffer.allocUnsafe(READ_BYTES)

  function finish(one: Connection, end: End): void {
    busy.delete(one)
    const { onEnd, socket, retryAfterSeconds } = one
    one.onEnd = undefined
    // A client that gets a response before it has sent everything stops sending, as curl does.
    const isCut = uploading.delete(one) || socket.writableLength > 0
    if (typeof end !== 'number' || one.closes || isCut) socket.destroy()
    else idle.push(one)
    onEnd?.(end, retryAfterSeconds)
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
  function read(one: Connection, bytes: number): void {
    if (one.status > 0) one.toCome -= bytes
    else readHead(one, sharedBuffer.toString('latin1', 0, bytes))
    if (one.status > 0 && one.toCome <= 0) finish(one, one.status)
  }
  function open(): Connection {
    const callback = (bytes: number) => {
      read(one, bytes)
      return true
    }
    const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread: { buffer: sharedBuffer, callback } })
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
      const at = idle.indexOf(one)
      if (at >= 0) idle.splice(at, 1)
      else if (one.onEnd) finish(one, 'lost')
    })
    return one
  }
  function sendOn(): void {
    for (const [one, rest] of uploading) {
      one.socket.write(rest.subarray(0, PIECE_BYTES))
      if (rest.length > PIECE_BYTES) uploading.set(one, rest.subarray(PIECE_BYTES))
      else uploading.delete(one)
    }
  }
  const uplink = setInterval(sendOn, PIECE_MS)
  const watch = setInterval(() => {
    const longest = performance.now() - patienceMs
    for (const one of busy) if (one.since < longest) finish(one, 'timed out')
  }, LOOK_MS)

  return {
    send({ head, body }, onEnd) {
      const one = idle.pop() ?? open()
      Object.assign(one, { head: '', toCome: 0, status: 0, retryAfterSeconds: 0, since: performance.now(), onEnd })
      busy.add(one)
      one.socket.cork()
      one.socket.write(head)
      one.socket.write(body.subarray(0, PIECE_BYTES))
      one.socket.uncork()
      if (body.length > PIECE_BYTES) uploading.set(one, body.subarray(PIECE_BYTES))
    },
    inFlight: () => busy.size,
    close() {
      clearInterval(uplink)
      clearInterval(watch)
      for (const { socket } of [...idle, ...busy]) socket.destroy()
    },
  }
}
