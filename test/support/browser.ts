import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const PLACES = [process.env.CHROMIUM, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const executablePath = PLACES.find((path) => path !== undefined && existsSync(path))

/** Tests of pages are skipped where Chromium is not installed: `{ skip: noBrowser }`. */
export const noBrowser = executablePath === undefined && 'there is no Chromium; set CHROMIUM to one'

const SCREENSHOTS = join(import.meta.dirname, '../../.screenshots')

export const openBrowser = (): Promise<Browser> => {
  assert.ok(executablePath)
  // Chromium's own sandbox needs a user namespace, which CI containers do not have; it only loads our own server.
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-dev-shm-usage', '--force-color-profile=srgb'] })
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

/** Opens a page of the server in a fresh browser context. */
export async function readAt(browser: Browser, url: string): Promise<Reader> {
  const context = await browser.newContext({ viewport: { width: 1024, height: 768 }, reducedMotion: 'reduce' })
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const faults: string[] = []
  const expected = new Set<string | undefined>()
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return
    const failed = FAILED_RESOURCE.exec(message.text())
    if (!failed || !expected.has(failed[1] ?? failed[2])) faults.push(`${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.goto(url)
  return {
    page,
    context,
    faults,
    expectFailures: (how) => void expected.add(how),
    async [Symbol.asyncDispose]() {
      await context.close()
    },
  }
}

const screens = [
  { width: 390, height: 844 },
  { width: 1024, height: 768 },
  { width: 1920, height: 1080 },
] as const
const themes = ['light', 'dark'] as const

/** `npm run test:slow` checks each state of a page on every screen size and in both themes, which takes five times as long. */
const all = process.env.PIXELMILL_TEST_SCREENS === 'all'

/**
 * Checks that hold for every page: nothing overflows horizontally and axe reports nothing, in both themes, on a phone and on a
 * desktop.
 */
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
      await page.screenshot({ path: join(SCREENSHOTS, `${name}-${screen.width}-${colorScheme}.png`), fullPage: true })
      // From tablet width on, the layout does not change.
      if (screen.width < 1920) await findNothing(page, colorScheme, `${name}, ${screen.width}, ${colorScheme}`)
    }
    await fits(page, name, screen.width)
  }
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
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

async function findNothing(page: Page, theme: (typeof themes)[number], where: string): Promise<void> {
  // Legacy mode only leaves out frames of other origins, which we do not have; it takes a third of the time.
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  if (theme === 'dark') axe.withRules(OF_COLOURS)
  const { violations } = await axe.analyze()
  const told = violations.map(({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map(({ html }) => html).join('\n  ')}`)
  assert.deepEqual(told, [], where)
}
