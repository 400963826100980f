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

/** Vite asks once only for the style sheet of a part, and would show the part without it the next time. */
const missingSheets = new Set<string>()
window.addEventListener('vite:preloadError', ({ payload }) => {
  const address = /^Unable to preload CSS for (\S+)/.exec(payload.message)?.[1]
  if (address) missingSheets.add(address)
})

/** @throws Error if one does not come */
async function loadMissingSheets(): Promise<void> {
  for (const address of missingSheets) {
    const sheet = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: address })
    const loading = new Promise((resolve, reject) => {
      sheet.onload = resolve
      sheet.onerror = () => reject(new Error(`${address} did not come.`))
    })
    document.head.append(sheet)
    await loading
    missingSheets.delete(address)
  }
}

/** Parts on their way: a second import would not wait for the style sheet that the first has asked for. */
const partsOnTheirWay = new Map<() => Promise<unknown>, Promise<unknown>>()

/** Loads a part before it is shown. @param load always the same function for the same part */
export function loadAhead<Part>(load: () => Promise<Part>): Promise<Part> {
  const part = (partsOnTheirWay.get(load) as Promise<Part> | undefined) ?? load()
  partsOnTheirWay.set(load, part)
  const forget = () => void partsOnTheirWay.delete(load)
  part.then(forget, forget)
  return part
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
      await loadMissingSheets()
      const part = await loadAhead(load)
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
