import type { Page } from 'playwright-core'
import type { Database } from '../../src/database/database.ts'
import { signUp } from '../support/dashboard.ts'

/** What the tests of the page of batches do before they use it. */
export function batchesPage(database: () => Database) {
  const plan = async (email: string, name: string) =>
    void (await database().pool.query('update account set plan = $2 where email = $1', [email, name]))
  return {
    plan,
    /** A newcomer at the page of batches, with a plan that has them. Returns the e-mail address. */
    async atBatches(page: Page): Promise<string> {
      const email = await signUp(page)
      await plan(email, 'team')
      await page.getByRole('link', { name: 'Batches' }).click()
      await page.getByRole('heading', { name: 'Drop a folder' }).waitFor()
      return email
    },
  }
}
