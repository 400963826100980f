import type { Readable } from 'node:stream'

/** Bytes that wait for the store before the sender has to. */
const AHEAD_BYTES = 1024 * 1024

/** What a sender has sent, whether or not it came to its end. */
export interface Received {
  /** The next bytes; undefined at the end. */
  next(): Promise<Buffer | undefined>
  /** Why it ended early; undefined after all of it, and while it comes. */
  broken(): unknown
  /** Discards the rest, so that a client that writes everything before it reads sees the answer. */
  discard(): void
}

/**
 * Reads a stream that may break at any byte, and gives all that arrived before. A stream that breaks loses what its own iterator has not
 * read yet; here it is read as soon as it comes.
 * @param signal ends the reading; the stream itself stays as it is
 */
export function receive(stream: Readable, signal: AbortSignal): Received {
  const waiting: Buffer[] = []
  let bytes = 0
  let end: { readonly reason: unknown } | undefined
  let arrivedCall = Promise.withResolvers<void>()

  function onData(chunk: Buffer): void {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes > AHEAD_BYTES) stream.pause()
    arrivedCall.resolve()
  }
  function finish(reason: unknown): void {
    if (end) return
    end = { reason }
    stream.off('data', onData)
    signal.removeEventListener('abort', onAbort)
    arrivedCall.resolve()
  }
  const onAbort = () => finish(signal.reason)
  stream.on('data', onData)
  stream.once('end', () => finish(undefined))
  stream.once('error', finish)
  stream.once('close', () => finish(new Error('the sender has gone')))
  if (stream.readableEnded) finish(undefined)
  else if (stream.destroyed) finish(new Error('the sender has gone'))
  else if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  return {
    async next() {
      for (;;) {
        const chunk = waiting.shift()
        if (chunk) {
          bytes -= chunk.length
          return chunk
        }
        if (end) return undefined
        arrivedCall = Promise.withResolvers()
        stream.resume()
        await arrivedCall.promise
      }
    },
    broken: () => end?.reason,
    discard() {
      finish(new Error('the rest was not read'))
      stream.resume()
    },
  }
}
