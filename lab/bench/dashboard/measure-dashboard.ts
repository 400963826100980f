import { noBrowser, openBrowser } from 'pixelmill-server/test/support/browser'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { Measurement } from '../bench.ts'
import { median } from '../measure/median.ts'
import { kilobytes, ms } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { bootServer } from '../server/boot-server.ts'
import { type FirstVisit, visitFirst } from './first-visit.ts'

/** The main control of each page. */
const pages = [
  { name: 'sign-in', path: '/', selector: 'input[type=email]', isSignedIn: false },
  { name: 'playground', path: '/playground', selector: '.area button', isSignedIn: true },
  { name: 'reference', path: '/docs', selector: '.choose button', isSignedIn: false },
] as const

/** The cookie of a session, created by a regular sign-in. */
async function signIn(browser: Browser, origin: string): Promise<BrowserContextOptions> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(`${origin}/sign-up`)
  await page.getByLabel('E-mail address').fill('bench@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Playground' }).waitFor()
  const storageState = await context.storageState()
  await context.close()
  return { storageState }
}

const of = (visits: readonly FirstVisit[], figure: keyof FirstVisit): number => median(visits.map((visit) => visit[figure]))

async function measure(browser: Browser, origin: string, times: number): Promise<Table> {
  const session = await signIn(browser, origin)
  const rows: string[][] = []
  for (const { name, path, selector, isSignedIn } of pages) {
    const visits: FirstVisit[] = []
    for (let n = 1; n <= times; n++) {
      progress(`dashboard: ${name}, ${n} of ${times}`)
      visits.push(await visitFirst(browser, origin + path, selector, isSignedIn ? session : {}))
    }
    rows.push([
      name,
      ms(of(visits, 'paintedMs')),
      ms(of(visits, 'interactiveMs')),
      ms(Math.max(...visits.map(({ interactiveMs }) => interactiveMs))),
      String(of(visits, 'requests')),
      kilobytes(of(visits, 'bytes')),
    ])
  }
  return {
    title: 'Pages of the dashboard',
    columns: ['page', 'painted ms', 'interactive ms', 'slowest ms', 'requests', 'KB on the wire'],
    rows,
    notes: [
      `Medians of ${times} first visits in Debian’s Chromium on loopback, with nothing in its cache; from the start of the navigation.`,
      'Interactive: what the page is for is there, and the browser’s last long task has ended. Bar: one second.',
    ],
  }
}

/** Page load times in a browser on this machine. */
export const measureDashboard: Measurement = {
  names: ['dashboard'],
  async measure({ quick }) {
    if (noBrowser) {
      progress(`without the pages: ${noBrowser}`)
      return []
    }
    const server = await bootServer()
    const browser = await openBrowser()
    try {
      return [await measure(browser, `http://127.0.0.1:${server.port}`, quick ? 3 : 5)]
    } finally {
      await browser.close()
      await server.stop()
    }
  },
}
