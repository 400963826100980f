/** How long between attempts while the server is away. */
const AGAIN_MS = 3_000

/**
 * Calls `again` once: in a moment, or as soon as the browser is online again; returns how to stop.
 * @param leastSeconds what the server asked to wait
 */
export function tryAgain(again: () => void, leastSeconds = 0): () => void {
  const run = () => {
    stop()
    again()
  }
  const clock = setTimeout(run, Math.max(AGAIN_MS, leastSeconds * 1000))
  window.addEventListener('online', run)
  const stop = () => {
    clearTimeout(clock)
    window.removeEventListener('online', run)
  }
  return stop
}
