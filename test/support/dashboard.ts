import { randomBytes } from 'node:crypto'
import type { Page } from 'playwright-core'

export const PASSWORD = 'correct horse battery'

/** Makes an account, as a newcomer does; returns its e-mail address. */
export async function signUp(page: Page, name = 'Ada Lovelace'): Promise<string> {
  const email = `${randomBytes(6).toString('hex')}@example.com`
  await page.getByRole('link', { name: 'Make an account' }).click()
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
