import { Readable } from 'node:stream'

/** One event, as EventSource receives it. */
export interface ServerEvent {
  readonly event: string
  /** A client that reconnects sends it as Last-Event-ID. */
  readonly id: string
  /** As JSON. */
  readonly data: unknown
}

/** After how long a client reconnects, and how often a silent connection gets a heartbeat: proxies close it after 30 s or more. */
const RETRY_MS = 2_000
const HEARTBEAT_MS = 15_000
/** A client that reads never leaves as much unread. */
const UNREAD_BYTES = 64 * 1024

/** A stream of server-sent events: HTML Living Standard §9.2. */
export interface EventStream {
  readonly body: Readable
  send(event: ServerEvent): void
  /** After the last event. */
  end(): void
}

/** An event as it is sent. */
export const eventText = ({ event, id, data }: ServerEvent): string =>
  `event: ${event}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`

/** `onClose` is called once, however it ends. */
export function eventStream(onClose: () => void, heartbeatMs = HEARTBEAT_MS): EventStream {
  const body = new Readable({ read() {} })
  const heartbeat = setInterval(() => write(':\n\n'), heartbeatMs)
  let isClosed = false
  function close(): void {
    if (isClosed) return
    isClosed = true
    clearInterval(heartbeat)
    onClose()
  }
  // The framework listens to a body that it sends. Where it never comes to that, an error without a listener would end the process.
  for (const event of ['close', 'error']) body.once(event, close)
  function write(text: string): void {
    // A flag of our own: an unread stream has not ended after null was pushed, and another push would be an error.
    if (isClosed || body.destroyed) return
    if (body.readableLength > UNREAD_BYTES) body.destroy()
    else body.push(text)
  }
  write(`retry: ${RETRY_MS}\n\n`)
  return {
    body,
    send: (event) => write(eventText(event)),
    end() {
      if (isClosed) return
      close()
      body.push(null)
    },
  }
}

export const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  // Else nginx would buffer events.
  'x-accel-buffering': 'no',
} as const
