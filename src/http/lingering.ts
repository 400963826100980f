import type { Socket } from 'node:net'
import { giveBackMemory } from '../rendering/give-back-memory.ts'

/** Connections that have been answered, and whose request has not been read to its end. */
export interface Lingering {
  add(socket: Socket): void
}

/**
 * Closed at once, what is still on its way would make the system reset the connection, and a client that has not read its answer
 * by then would lose it. While the server stops, a round trip to anywhere, and time to read; a client that sees the answer closes.
 */
const CLOSING_MS = 1_000
/** A client that writes all before it reads is read past, as long as an upload may take. */
const LONGEST_MS = 60_000
const LOOK_MS = 100
/** Each holds a file descriptor, and in the system up to a few hundred KB that nobody will read. */
const MOST = 2_000
/** Bytes a second of all of them that are read past: ten common uploads. */
const READ_PAST = 4 * 1024 * 1024
/** What one read takes of a connection at most. */
const READ_BYTES = 64 * 1024

export function lingering(closing: AbortSignal): Lingering {
  /** When each was answered, by performance.now(), the oldest first. */
  const sockets = new Map<Socket, number>()
  let left = READ_PAST
  let looking: NodeJS.Timeout | undefined

  function readPast(this: Socket, chunk: Buffer): void {
    left -= chunk.length
    giveBackMemory(chunk)
    if (left < 0) this.pause()
  }
  function look(): void {
    left = Math.min(READ_PAST, left + (READ_PAST * LOOK_MS) / 1_000)
    const longest = closing.aborted ? CLOSING_MS : LONGEST_MS
    const now = performance.now()
    let reads = Math.ceil(left / READ_BYTES)
    for (const [socket, at] of sockets) {
      if (now - at > longest) socket.destroy()
      else if (socket.isPaused() && reads-- > 0) socket.resume()
    }
    if (sockets.size > 0) return
    clearInterval(looking)
    looking = undefined
  }
  return {
    add(socket) {
      if (sockets.size >= MOST) {
        const [oldest] = sockets.keys()
        oldest?.destroy()
      }
      sockets.set(socket, performance.now())
      socket.on('data', readPast)
      // Half open as the server's sockets are, it would wait for us to end it.
      socket.on('end', () => socket.destroy())
      socket.on('close', () => sockets.delete(socket))
      looking ??= setInterval(look, LOOK_MS).unref()
    },
  }
}
