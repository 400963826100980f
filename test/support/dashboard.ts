import { randomBytes } from 'node:crypto'
import { after, before } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { Database } from '../../src/database/database.ts'
import { openServerDatabase } from './accounts.ts'
import { openBrowser, type Reader, readAt } from './browser.ts'
import { type SharedServer, shareServer } from './shared-server.ts'

type Settings = Readonly<Record<string, string>>

/**
 * A server and a browser for all tests of a `describe`, from before the first to after the last.
 * @param settings of the server; or what starts first what they need, which is ended with it
 * @param start the server, where other files may not have used it before
 */
export function openDashboard<Started extends SharedServer = SharedServer>(
  settings: Settings | ((open: AsyncDisposableStack) => Promise<Settings>) = {},
  start: (settings: Settings) => Promise<Started> = shareServer as (settings: Settings) => Promise<Started>,
) {
  const open = new AsyncDisposableStack()
  let server: Started | undefined
  let browser: Browser | undefined
  let database: Database | undefined
  const started = (): Started => {
    if (!server) throw new Error('the server starts with the first test')
    return server
  }
  const opened = (): Database => {
    if (!database) throw new Error('the database opens with the first test')
    return database
  }
  before(async () => {
    // One after the other, so that what has started is ended when the next does not.
    server = open.use(await start(typeof settings === 'function' ? await settings(open) : settings))
    database = open.adopt(await openServerDatabase(server.dir), (each) => each.close())
    browser = open.adopt(await openBrowser(), (each) => each.close())
  })
  after(() => open.disposeAsync())
  return {
    server: started,
    /** Of the server, for what a person at the page cannot do. */
    database: opened,
    /**
     * Ends the sessions of an account while its page does `act`. What the page asks by itself just then is held up until it is
     * done: refused before, it would bring up the question for the password above what `act` wants to click.
     */
    async endSessionsDuring(page: Page, email: string, act: () => Promise<void>): Promise<void> {
      const ended = Promise.withResolvers<void>()
      await page.route('**/api/**', async (route) => {
        await ended.promise
        await route.fallback()
      })
      await act()
      const sessions = 'delete from login_token where account_id = (select id from account where email = $1)'
      await opened().pool.query(sessions, [email])
      ended.resolve()
    },
    /** Somebody who has never been there before. */
    async visit(path = '/'): Promise<Reader> {
      if (!browser) throw new Error('the browser starts with the first test')
      return readAt(browser, started().url + path)
    },
  }
}

export const PASSWORD = 'correct horse battery'

/** Makes an account, as a newcomer does; returns its e-mail address. */
export async function signUp(page: Page, name = 'Ada Lovelace'): Promise<string> {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  await page.getByRole('link', { name: 'Make an account' }).click()
  // The sign-in has fields of the same names, and stays in sight until the next page has come.
  await page.getByRole('heading', { name: 'Make an account' }).waitFor()
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Make an account' }).click()
  await page.getByRole('heading', { name: 'Playground' }).waitFor()
  return email
}

export async function signIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Opens a picture in the playground, as if it had been picked. */
export async function pick(
  page: Page,
  file: string | { readonly name: string; readonly mimeType: string; readonly buffer: Buffer },
): Promise<void> {
  await page.locator('input[type=file][aria-label=Picture]').setInputFiles(file)
}
