import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

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
