import type { Browser, BrowserContextOptions } from 'playwright-core'

/** Load times of a first visit to a page, from the start of the navigation. */
export interface FirstVisit {
  /** The first content is visible. */
  readonly paintedMs: number
  /** The main control can be used, and the browser has no more long tasks. */
  readonly interactiveMs: number
  /** Compressed bytes on the wire. */
  readonly bytes: number
  readonly requests: number
}

/** The page is observed for this long after the last long task. */
const QUIET_MS = 1_000

/**
 * Passed as strings, since these globals exist only in the browser. Polls each frame until the control exists; postponed by long
 * tasks of 50 ms and more (W3C Long Tasks).
 */
const watch = (selector: string) => `(() => {
  const seen = (window.seen = { usable: 0, longTask: 0 })
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.longTask = Math.max(seen.longTask, startTime + duration)
  }).observe({ type: 'longtask', buffered: true })
  const look = () => {
    if (document.querySelector(${JSON.stringify(selector)})) seen.usable = performance.now()
    else requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()`

const READ = `(() => {
  const entries = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  return {
    paintedMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
    interactiveMs: Math.max(seen.usable, seen.longTask),
    bytes: entries.reduce((all, { transferSize }) => all + transferSize, 0),
    requests: entries.length,
  }
})()`

/** In a fresh browser context: nothing is cached from an earlier visit except the session in `options`. */
export async function visitFirst(
  browser: Browser,
  url: string,
  selector: string,
  options: BrowserContextOptions = {},
): Promise<FirstVisit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  try {
    const page = await context.newPage()
    await page.addInitScript(watch(selector))
    await page.goto(url)
    await page.locator(selector).first().waitFor()
    await page.waitForTimeout(QUIET_MS)
    return await page.evaluate<FirstVisit>(READ)
  } finally {
    await context.close()
  }
}
