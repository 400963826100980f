import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTime, lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, PASSWORD } from '../support/dashboard.ts'
import { accountPage } from './account-page.ts'

const WINDOWS = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0'
const SCRIPT_LIKE = '<img src=x onerror=alert(1)>'

describe('account, rarer cases', { skip: noBrowser }, () => {
  const dashboard = openDashboard()
  const { database, visit, endSessionsDuring } = dashboard
  const { open, signInFrom, section, button } = accountPage(dashboard)

  test('the error about a taken address stands beside its field', async () => {
    await using first = await visit()
    const { email: takenText } = await open(first.page)
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await open(page)
    const you = section(page, 'You')
    expectFailures('409')
    await you.getByLabel('E-mail address').fill(takenText)
    await you.getByLabel('Current password', { exact: true }).fill(PASSWORD)
    await button(page, 'Save').click()
    await you.locator('input[type=email][aria-invalid=true]').waitFor()
    assert.deepEqual(faults, [])
  })

  test('sign-ins are listed; a user ends one, then all others, and learns which had ended already', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const { email, id } = await open(page)
    for (const userAgent of [WINDOWS, 'curl/8.14.1', SCRIPT_LIKE]) await signInFrom(email, userAgent)
    await database().pool.query(
      `insert into login_token (account_id, hash, created_at, expires_at, user_agent)
       select $1, sha256(convert_to('session ' || n, 'UTF8')), now() - n * interval '1 day', now() + (30 - n) * interval '1 day', 'program-' || n || '/1.0'
         from generate_series(1, 20) n`,
      [id],
    )
    await page.reload()
    const sessions = section(page, 'Sign-ins')
    await sessions
      .getByRole('row')
      .filter({ hasText: 'This one' })
      .getByText(/^Chrome/)
      .waitFor()
    assert.equal(await sessions.getByRole('row').count(), 11, 'ten, and their heading')
    await button(page, 'Show all 24').click()
    assert.equal(await sessions.getByRole('row').count(), 25)
    await lookAt(page, 'account-sessions')

    await button(page, 'End the sign-in of curl').dblclick()
    await page.getByText('The sign-in of curl has ended.').waitFor()
    await sessions.getByText('curl').waitFor({ state: 'detached' })
    await database().pool.query(`delete from login_token where user_agent = 'program-7/1.0'`)
    expectFailures('404')
    await button(page, 'End the sign-in of program-7').click()
    await page.getByText('That sign-in had ended already.').waitFor()
    await sessions.getByText('program-7').waitFor({ state: 'detached' })

    await button(page, 'End all others').click()
    await lookAt(page, 'account-end-others')
    await button(page, 'End them').click()
    await page.getByText('21 other sign-ins have ended.').waitFor()
    await button(page, 'End all others').waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('the text in fields survives the end of the session', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const { email } = await open(page)
    await section(page, 'You').getByLabel('Name').fill('Countess of Lovelace')
    await section(page, 'Password').getByLabel('New password', { exact: true }).fill('half a sentence')
    expectFailures('401')
    await endSessionsDuring(page, email, () => button(page, 'Save').click())
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await page.keyboard.type(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.side').getByText('Countess of Lovelace').waitFor()
    assert.equal(await section(page, 'Password').getByLabel('New password', { exact: true }).inputValue(), 'half a sentence')
    assert.deepEqual(faults, [])
  })

  test('a late 401, after the user has signed in again, does not ask for the password again', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const endedCall = Promise.withResolvers<void>()
    const refusedCall = Promise.withResolvers<void>()
    const signedIn = Promise.withResolvers<void>()
    await page.route('**/api/user/sessions', async (route) => {
      await endedCall.promise
      const refusal = await route.fetch()
      refusedCall.resolve()
      await signedIn.promise
      await route.fulfill({ response: refusal })
    })
    const { email } = await open(page)
    await section(page, 'You').getByLabel('Name').fill('Countess of Lovelace')
    expectFailures('401')
    await endSessionsDuring(page, email, () => button(page, 'Save').click())
    endedCall.resolve()
    await inTime(refusedCall.promise, 'the refusal')
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await page.keyboard.type(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.side').getByText('Countess of Lovelace').waitFor()
    signedIn.resolve()
    await section(page, 'Sign-ins').getByText('This one').waitFor()
    assert.ok(await dialog.isHidden())
    assert.deepEqual(faults, [])
  })

  test('the last administrator cannot delete the account, and reads why', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const { id } = await open(page)
    await database().pool.query(`update account set role = case when id = $1 then 'admin' else 'user' end`, [id])
    expectFailures('409')
    await button(page, 'Delete the account').click()
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD)
    await button(page, 'Delete for good').click()
    await page.getByText('Make another account an administrator first').waitFor()
    await lookAt(page, 'account-last-administrator')
    assert.deepEqual(faults, [])
  })
})
