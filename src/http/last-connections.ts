import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises'

/** How long a new connection may wait for its first request: a browser opens some that it may never use. */
const FIRST_REQUEST_MS = 1_000
const LONGEST_WAIT_MS = 2_000
const PAUSE_MS = 5

/** A turn of the event loop that was as short as this has accepted and read everything that waited, and has just ended. */
const SHORT_TURN_MS = 1

/**
 * Returns what to wait for before a server stops listening: a moment in which no connection waits to be accepted, and no new one for its
 * first request. Both would be reset, and their requests lost.
 */
export function lastConnections(server: Server): () => Promise<void> {
  /** Since when, by performance.now(). */
  const open = new Map<Socket, number>()
  server.on('connection', (socket) => {
    open.set(socket, performance.now())
    socket.once('close', () => open.delete(socket))
  })
  const isExpected = ([socket, since]: [Socket, number]) => socket.bytesRead === 0 && performance.now() - since < FIRST_REQUEST_MS

  async function isQuiet(): Promise<boolean> {
    const began = performance.now()
    await turn()
    return performance.now() - began < SHORT_TURN_MS && !open.entries().some(isExpected)
  }
  return async () => {
    const end = performance.now() + LONGEST_WAIT_MS
    while (!(await isQuiet()) && performance.now() < end) await sleep(PAUSE_MS)
  }
}
