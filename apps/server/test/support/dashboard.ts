import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Database } from '../../src/database/database.ts'
import { openServerDatabase } from './accounts.ts'
import { openBrowser, type Reader, readAt, visitorsOf } from './browser.ts'
import { type SharedServer, shareServer } from './shared-server.ts'

type Settings = Readonly<Record<string, string>>

/**
 * A server and a browser for all tests of a `describe`, from before the first to after the last.
 * @param settings of the server; or a function that starts what they depend on, which is ended with the server
 * @param start starts the server, where other test files must not have used it before
 */
export function openDashboard<Started extends SharedServer = SharedServer>(
  settings: Settings | ((open: AsyncDisposableStack) => Promise<Settings>) = {},
  start: (settings: Settings) => Promise<Started> = shareServer as (settings: Settings) => Promise<Started>,
) {
  const open = new AsyncDisposableStack()
  let server: Started | undefined
  let browser: Browser | undefined
  let visitShared: ReturnType<typeof visitorsOf> | undefined
  let database: Database | undefined
  const startedServer = (): Started => {
    if (!server) throw new Error('the server starts with the first test')
    return server
  }
  const openedDatabase = (): Database => {
    if (!database) throw new Error('the database opens with the first test')
    return database
  }
  before(async () => {
    // Sequentially, so that what was started is ended when the next start fails.
    server = open.use(await start(typeof settings === 'function' ? await settings(open) : settings))
    database = open.adopt(await openServerDatabase(server.dir), (each) => each.close())
    browser = open.adopt(await openBrowser(), (each) => each.close())
    visitShared = visitorsOf(browser)
  })
  after(() => open.disposeAsync())
  return {
    server: startedServer,
    /** Direct calls to the server, for what the page does not offer. */
    database: openedDatabase,
    /**
     * Ends the sessions of an account while its page runs `act`. Requests of the page itself are held until `act` is done: if
     * they were refused earlier, they would open the password dialog above what `act` clicks.
     */
    async endSessionsDuring(page: Page, email: string, act: () => Promise<void>): Promise<void> {
      const endedCall = Promise.withResolvers<void>()
      await page.route('**/api/**', async (route) => {
        await endedCall.promise
        await route.fallback()
      })
      await act()
      const sessions = 'delete from login_token where account_id = (select id from account where email = $1)'
      await openedDatabase().pool.query(sessions, [email])
      endedCall.resolve()
    },
    /**
     * A user who visits the server for the first time.
     * @param window `own` where a test changes the clock, emulates a network or a device, or needs an empty HTTP cache
     */
    async visit(path = '/', window: 'shared' | 'own' = 'shared'): Promise<Reader> {
      if (!browser || !visitShared) throw new Error('the browser starts with the first test')
      const url = startedServer().url + path
      return window === 'own' ? readAt(browser, url) : visitShared(url)
    },
  }
}

export const PASSWORD = 'correct horse battery'

/** Signs up through the page; returns the e-mail address. */
export async function signUp(page: Page, name = 'Ada Lovelace'): Promise<string> {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  await page.getByRole('link', { name: 'Make an account' }).click()
  // The sign-in form has fields of the same names and stays visible until the next page is shown.
  await page.getByRole('heading', { name: 'Make an account' }).waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Make an account' }).click()
  await page.getByRole('heading', { name: 'Compress' }).waitFor()
  return email
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Shows the playground, without loading the document again, as the search does. */
export async function openPlayground(page: Page): Promise<void> {
  await page.evaluate("history.pushState(null, '', '/playground'); dispatchEvent(new PopStateEvent('popstate'))")
  await page.getByRole('heading', { name: 'Playground' }).waitFor()
}

/** Opens a picture in the playground, or in the page of a tool, as the file picker does. */
export async function pick(
  page: Page,
  file: string | { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> {
  if (new URL(page.url()).pathname === '/compress') await openPlayground(page)
  await page.locator('input[type=file][aria-label=Picture]').setInputFiles(file)
}
