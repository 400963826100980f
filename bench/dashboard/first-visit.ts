import type { Browser, BrowserContextOptions } from 'playwright-core'

/** What somebody waits for who comes to a page for the first time; times from the start of the navigation. */
export interface FirstVisit {
  /** Something is to be seen. */
  readonly paintedMs: number
  /** What the page is for can be used, and the browser has no long task any more. */
  readonly interactiveMs: number
  /** Bytes on the wire, as compressed. */
  readonly bytes: number
  readonly requests: number
}

/** After the last long task the page is watched for this long. */
const QUIET_MS = 1_000

/**
 * As texts: these are names of the browser's, not of ours. Frame by frame until the control is there; long tasks, of 50 ms and more
 * (W3C Long Tasks), put off when it can be used.
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

/** In a context of its own: nothing has been kept from an earlier visit but the session that `options` brings. */
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
