/** Delays between attempts while the server is unreachable. */
const AGAIN_MS = 3_000

/**
 * Calls `again` once: after a delay, or as soon as the browser is online again; returns a function that cancels it.
 * @param leastSeconds the delay that the server asked for
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
