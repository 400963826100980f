import { tryAgain } from './try-again.ts'

/** Prevents endless reloading if a file never arrives. */
const RELOADED = 'reloaded-at'
const RELOAD_PAUSE_MS = 60_000

/** A newer version of the server has other files, and some browsers do not request a module again after a failure. */
async function reloadIfBack(): Promise<void> {
  const isBack = await fetch('/healthz', { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  )
  if (!isBack) return
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED)) < RELOAD_PAUSE_MS) return
    sessionStorage.setItem(RELOADED, String(Date.now()))
  } catch {
    // Without storage nothing would stop the reloading: the button reloads instead.
    return
  }
  location.reload()
}

/**
 * Loads a file of the dashboard that is needed now. If that fails it is retried every few seconds; once the server answers again,
 * the page is reloaded. Returns a function that stops it.
 */
export function loadPart<Part>(load: () => Promise<Part>, onload: (part: Part) => void, onfailure: () => void): () => void {
  let isWanted = true
  let stopTrying = () => {}
  async function attempt(nth: number): Promise<void> {
    try {
      const part = await load()
      if (isWanted) onload(part)
    } catch {
      if (!isWanted) return
      onfailure()
      if (nth > 1) await reloadIfBack()
      if (isWanted) stopTrying = tryAgain(() => void attempt(nth + 1))
    }
  }
  void attempt(1)
  return () => {
    isWanted = false
    stopTrying()
  }
}
