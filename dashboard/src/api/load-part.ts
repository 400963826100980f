import { tryAgain } from './try-again.ts'

/** So that a file that never comes does not have the page loaded again without end. */
const RELOADED = 'reloaded-at'
const RELOAD_PAUSE_MS = 60_000

/** A newer version of the server has other files, and some browsers do not ask twice for a module that once failed. */
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
    // Without storage nothing would end the reloading: the button does it.
    return
  }
  location.reload()
}

/**
 * Loads a file of the dashboard that is needed now. While it does not come it is asked for again every few seconds, and once the
 * server answers all the same, the page is loaded again. Returns how to stop.
 */
export function loadPart<Part>(load: () => Promise<Part>, onloaded: (part: Part) => void, onfailed: () => void): () => void {
  let isWanted = true
  let stopTrying = () => {}
  async function attempt(nth: number): Promise<void> {
    try {
      const part = await load()
      if (isWanted) onloaded(part)
    } catch {
      if (!isWanted) return
      onfailed()
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
