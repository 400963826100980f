import type { IncomingMessage } from 'node:http'

/** How fast a body has to arrive. */
export interface Pace {
  /** Seconds without a byte. */
  readonly idleSeconds: number
  /** Bytes a second on average, once `idleSeconds` have passed. */
  readonly bytesPerSecond?: number
  /** Seconds for the whole body. */
  readonly seconds: number
}

const LOOK_MS = 500

/**
 * Calls `onLate` when a body comes too slowly; returns what ends the watch. Time in which it is not read, because the store
 * is slower than the client, is not the client's, except of the whole.
 */
export function watchPace(request: IncomingMessage, pace: Pace, onLate: () => void): () => void {
  const { idleSeconds, bytesPerSecond = 0, seconds } = pace
  let [bytes, read, idle, last] = [0, 0, 0, performance.now()]
  const onData = (chunk: Buffer) => {
    bytes += chunk.length
    idle = 0
  }
  function look(): void {
    const now = performance.now()
    const passed = request.isPaused() ? 0 : (now - last) / 1000
    last = now
    read += passed
    idle += passed
    if (idle >= idleSeconds || (read - idleSeconds) * bytesPerSecond > bytes) onLate()
  }
  const looking = setInterval(look, LOOK_MS)
  const whole = setTimeout(onLate, seconds * 1000)
  request.on('data', onData)
  return () => {
    clearInterval(looking)
    clearTimeout(whole)
    request.off('data', onData)
  }
}
