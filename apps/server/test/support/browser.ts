import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContext, chromium, errors, type Page } from 'playwright-core'

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = PLACES.find((path) => path !== undefined && existsSync(path))

/** Tests of pages are skipped where Chromium is not installed: `{ skip: noBrowser }`. */
export const noBrowser = executablePath === undefined && 'there is no Chromium; set CHROMIUM to one'

const SCREENSHOTS = join(import.meta.dirname, '../../../../.screenshots')

const ARGUMENTS = [
  // Chromium's own sandbox needs a user namespace, which CI containers do not have; it only loads our own server.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--force-color-profile=srgb',
  // There is no GPU, and its emulation takes processor time. Some distributions load extensions.
  '--disable-gpu',
  '--disable-extensions',
]

export const openBrowser = (): Promise<Browser> => {
  assert.ok(executablePath)
  return chromium.launch({ executablePath, args: ARGUMENTS })
}

/** A user at a page of the server. */
export interface Reader {
  readonly page: Page
  readonly context: BrowserContext
  /** Console messages other than plain logs, and uncaught exceptions. */
  readonly faults: readonly string[]
  /** Messages that the test expects: Chromium logs every unsuccessful response, by status or by network error. */
  expectFailures(how: string): void
  [Symbol.asyncDispose](): Promise<void>
}

/** Three test files share the two cores of CI, each with a browser, a server and a database. */
const PATIENCE_MS = 75_000

/** What Playwright itself waits for without an end: a script of a page, or what a test's own handler of a request resolves. */
export async function inTime<Value>(work: Promise<Value>, what: string): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what}: not within ${PATIENCE_MS} ms`)), PATIENCE_MS)
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

const FAILED_RESOURCE = /^Failed to load resource: (?:the server responded with a status of (\d+)|net::(\w+))/

const SCREEN = { width: 1024, height: 768 }

/** Opens a page of the server in a fresh browser context. */
export async function readAt(browser: Browser, url: string): Promise<Reader> {
  const page = await newPage(browser)
  return visitWith(page, url, () => page.context().close())
}

async function newPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ viewport: SCREEN, reducedMotion: 'reduce' })
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}

/**
 * Makes visits one after the other in one browser context, which is reset after each but keeps its HTTP cache: a new context
 * takes 1.5 s of processor time. A visit during another one gets its own context.
 */
export function visitorsOf(browser: Browser): (url: string) => Promise<Reader> {
  let unusedPage: Page | undefined
  return async (url) => {
    const page = unusedPage ?? (await newPage(browser))
    unusedPage = undefined
    return visitWith(page, url, async () => {
      if (unusedPage) return page.context().close()
      await reset(page, url)
      unusedPage = page
    })
  }
}

async function reset(page: Page, url: string): Promise<void> {
  const { origin } = new URL(url)
  const context = page.context()
  for (const other of context.pages()) if (other !== page) await other.close()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const event of ['request', 'console', 'pageerror'] as const) page.removeAllListeners(event)
  await context.setOffline(false)
  // A page without scripts, of the same origin, so that Chromium keeps the process. It names an icon: Chromium would ask for
  // /favicon.ico, whose 404 came in the next visit.
  const blank = `${origin}/blank`
  await page.route(blank, (route) => route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }))
  await page.goto(blank)
  await page.unroute(blank)
  await inTime(page.evaluate('sessionStorage.clear()'), 'sessionStorage.clear()')
  const devtools = await context.newCDPSession(page)
  await devtools.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
  await devtools.detach()
  await context.clearPermissions()
  await page.emulateMedia({ colorScheme: null, reducedMotion: 'reduce' })
  await page.setViewportSize(SCREEN)
}

async function visitWith(page: Page, url: string, leave: () => Promise<void>): Promise<Reader> {
  const context = page.context()
  const faults: string[] = []
  const expected = new Set<string | undefined>()
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    const failedArray = FAILED_RESOURCE.exec(message.text())
    if (!failedArray || !expected.has(failedArray[1] ?? failedArray[2]))
      faults.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(url)
  return { page, context, faults, expectFailures: (how) => void expected.add(how), [Symbol.asyncDispose]: leave }
}

const screens = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
] as const
const themes = ['light', 'dark'] as const

/** Checks each state of a page on every screen size in both themes, and takes pictures: five times as long. Set every night. */
const all = process.env.PIXELMILL_TEST_SCREENS === 'all'

/** Checks that hold for every page: axe reports nothing on a desktop in light colours, and on the narrowest screen nothing overflows. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const before = page.viewportSize()
  if (all) await lookAtAll(page, name)
  else await findNothing(page, 'light', name)
  // WCAG 2.2 §1.4.10: 1280 pixels at 400 %.
  await page.setViewportSize({ width: 320, height: 640 })
  await fits(page, name, 320)
  if (before) await page.setViewportSize(before)
}

async function lookAtAll(page: Page, name: string): Promise<void> {
  await mkdir(SCREENSHOTS, { recursive: true })
  for (const screen of screens) {
    await page.setViewportSize(screen)
    for (const colorScheme of themes) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      // Passed as strings, since these globals exist only in the browser.
      await page.evaluate('window.scrollTo(0, 0)')
      await takePicture(page, join(SCREENSHOTS, `${name}-${screen.width}-${colorScheme}.png`))
      // From tablet width on, the layout does not change.
      if (screen.width < 1920) await findNothing(page, colorScheme, `${name}, ${screen.width}, ${colorScheme}`)
    }
    await fits(page, name, screen.width)
  }
}

/** Two of some 3,000 pictures were never taken: Chromium waited for a frame that it did not draw. The second attempt brings the page to the front. */
async function takePicture(page: Page, path: string): Promise<void> {
  const picture = { path, fullPage: true, timeout: 15_000 }
  await page.screenshot(picture).catch(async (error: unknown) => {
    if (!(error instanceof errors.TimeoutError)) throw error
    await page.bringToFront()
    await page.screenshot(picture)
  })
}

/** Elements that overflow the screen, except inside scrolling containers. */
const BEYOND = `[...document.querySelectorAll('body *')]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
  .map((each) => each.tagName.toLowerCase() + '.' + each.className).slice(0, 12).join(', ')`

async function fits(page: Page, name: string, width: number): Promise<void> {
  const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (wide > width) assert.fail(`${name} is ${wide} pixels wide on a screen of ${width}: ${await page.evaluate(BEYOND)}`)
}

/** The axe rules on colours. A theme changes nothing else. */
const OF_COLOURS = { runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } }

/** Injected once per document. @axe-core/playwright injects it for each analysis, which takes three times as long. */
const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

async function findNothing(page: Page, theme: (typeof themes)[number], where: string): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe)
  const options = { resultTypes: ['violations'], ...(theme === 'dark' && OF_COLOURS) }
  const { violations } = await inTime(page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`), where)
  const toldTexts = violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
  assert.deepEqual(toldTexts, [], where)
}
