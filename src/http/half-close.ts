import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
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
