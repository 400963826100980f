import type { Page } from 'playwright-core'
import { type openDashboard, PASSWORD, signUp } from '../support/dashboard.ts'

/** What the tests of the account page do on it. */
export function accountPage({ server, database }: Pick<ReturnType<typeof openDashboard>, 'server' | 'database'>) {
  return {
    /** A newcomer at the page of the account. */
    async open(page: Page): Promise<{ readonly email: string; readonly id: string }> {
      const email = await signUp(page)
      await page.getByRole('link', { name: 'Account', exact: true }).click()
      await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
      const { rows } = await database().pool.query('select id from account where email = $1', [email])
      return { email, id: rows[0].id }
    },
    signInFrom: (email: string, userAgent: string) =>
      fetch(`${server().url}/api/auth/sign-in`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': userAgent },
        body: JSON.stringify({ email, password: PASSWORD }),
      }),
    section: (page: Page, name: string) => page.getByRole('region', { name }),
    button: (page: Page, name: string) => page.getByRole('button', { name, exact: true }),
  }
}
