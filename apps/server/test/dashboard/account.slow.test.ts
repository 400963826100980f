import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { grant } from '../support/accounts.ts'
import { inTime, lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, PASSWORD, signIn } from '../support/dashboard.ts'
import { accountPage } from './account-page.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'

describe('account', { skip: noBrowser }, () => {
  const dashboard = openDashboard()
  const { server, database, visit } = dashboard
  const { open, signInFrom, section, button } = accountPage(dashboard)

  test('a name is changed at once, an address with the password only, and errors stand beside their fields', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const { email } = await open(page)
    await lookAt(page, 'account')
    const you = section(page, 'You')
    assert.ok(await button(page, 'Save').isDisabled(), 'nothing has changed yet')
    await you.getByLabel('Name').fill('<b>Grace</b> Brewster Murray Hopper of the United States Navy')
    await button(page, 'Save').click()
    await page.locator('.side').getByText('<b>Grace</b>').waitFor()
    assert.ok(await button(page, 'Save').isDisabled())

    const other = `new-${email}`
    await you.getByLabel('E-mail address').fill(other)
    expectFailures('401')
    await you.getByLabel('Current password', { exact: true }).fill('not this one')
    await button(page, 'Save').click()
    await you.getByText('This is not your password.').waitFor()
    await lookAt(page, 'account-wrong-password')
    await you.getByLabel('Current password', { exact: true }).fill(PASSWORD)
    await button(page, 'Save').click()
    await page.getByText('Sign in with it from now on.').waitFor()
    assert.equal(await you.getByLabel('Current password', { exact: true }).count(), 0)

    await button(page, 'Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, other)
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a new password is judged by its length, and ends all other sign-ins', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const { email } = await open(page)
    await signInFrom(email, WINDOWS)
    await page.reload()
    await page.getByText('Firefox on Windows').waitFor()
    const typedLocator = section(page, 'Password').getByLabel('New password', { exact: true })
    for (const [password, says] of [
      ['sévén 7', '1 more character.'],
      ['eight 8!', 'Long enough; longer is stronger.'],
      ['twelve: 12 !', 'Good.'],
      ['a sentence of its own', 'Strong.'],
    ] as const) {
      await typedLocator.fill(password)
      await page.getByText(says, { exact: true }).waitFor()
    }
    await lookAt(page, 'account-password')
    await section(page, 'Password').getByLabel('Current password', { exact: true }).fill(PASSWORD)
    await button(page, 'Change the password').dblclick()
    await page.getByText('Your password is changed.').waitFor()
    await page.getByText('Firefox on Windows').waitFor({ state: 'detached' })
    assert.equal(await typedLocator.inputValue(), '')
    await button(page, 'Sign out').click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, email, 'a sentence of its own')
    await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('an account is deleted with its password, after a list of what is lost', async () => {
    await using reader = await visit()
    const { page, context, faults, expectFailures } = reader
    const { email, id } = await open(page)
    await grant(database(), id, 1_234)
    const makeKey = `fetch('/api/user/api-keys', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"name":"x"}' })`
    await inTime(page.evaluate(`${makeKey}.then(() => undefined)`), 'a key is made')
    await database().pool.query(
      `insert into batch (id, account_id, format, quality, total, pending, succeeded, status, finished_at, expires_at)
       select gen_random_uuid(), $1, 'webp', 80, 3, 0, 3, 'completed', now(), now() + interval '1 day' from generate_series(1, 2)`,
      [id],
    )
    const other = await context.newPage()
    await other.goto(`${server().url}/account`)
    await other.getByRole('heading', { name: 'Account', level: 1 }).waitFor()

    await button(page, 'Delete the account').click()
    const dialog = page.getByRole('dialog', { name: 'Delete this account?' })
    await dialog.getByText('1,234 credits').waitFor()
    await dialog.getByText('2 batches').waitFor()
    await dialog.getByText('1 API key').waitFor()
    await lookAt(page, 'account-delete')
    expectFailures('401')
    await dialog.getByLabel('Your password', { exact: true }).fill('not this one')
    await button(page, 'Delete for good').click()
    await dialog.getByText('This is not your password.').waitFor()
    await dialog.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByText('Your account is deleted.').waitFor()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(new URL(page.url()).search, '', 'whoever comes next begins at the beginning')
    await lookAt(page, 'account-deleted')

    // Another tab of the same person is told, and let go.
    await other.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await other.getByRole('button', { name: 'Leave' }).click()
    await other.getByRole('heading', { name: 'Sign in' }).waitFor()
    await signIn(page, email)
    await page.getByRole('alert').waitFor()
    assert.deepEqual(faults, [])
  })
})
