import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { grant } from '../support/accounts.ts'
import { inTime, lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, PASSWORD, signUp } from '../support/dashboard.ts'
import { tabTo } from '../support/keyboard.ts'
import { startServer } from '../support/server.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')
const run = promisify(execFile)

describe('first run', { skip: noBrowser }, () => {
  const { server, database, visit } = openDashboard({}, startServer)

  test('the first start prints who may sign in, and they have a compressed picture by keys alone', async () => {
    const printedText = server().output()
    const email = /e-mail\s+(\S+)/.exec(printedText)?.[1] ?? assert.fail(printedText)
    const password = /password\s+(\S+)/.exec(printedText)?.[1] ?? assert.fail(printedText)
    assert.match(printedText, /Dashboard: http/)
    await using reader = await visit()
    const { page, faults } = reader
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await tabTo(page, 'E-mail address')
    await page.keyboard.type(email)
    await tabTo(page, 'Password')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    await tabTo(page, 'Try with ours')
    await page.keyboard.press('Enter')
    await page.getByText('3 of 3 pictures done').waitFor()
    await tabTo(page, 'Download all')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    assert.equal(download.suggestedFilename(), 'compressed.zip')
    assert.deepEqual(faults, [])
  })

  test('a newcomer signs up by keys alone', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await tabTo(page, 'Make an account')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Make an account' }).waitFor()
    await tabTo(page, 'E-mail address')
    await page.keyboard.type('keys-alone@example.com')
    await tabTo(page, 'Password')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    assert.equal(await page.title(), 'Compress · Pixelmill')
    assert.deepEqual(faults, [])
  })

  test('the first steps lead from a picture to a call of a program, tick themselves, and are gone then', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pixelmill-first-'))
    try {
      await copyFile(PHOTO, join(folder, 'photo.jpg'))
      await using reader = await visit()
      const { page, faults } = reader
      const email = await signUp(page)
      const { rows } = await database().pool.query<{ id: string }>('select id from account where email = $1', [email])
      const steps = page.getByRole('region', { name: 'First steps' })
      await page.getByRole('button', { name: 'Try with ours' }).click()
      await steps.getByText('Try a picture, done').waitFor()
      await steps.getByText('API keys and batches need credits or the plan Team').waitFor()
      await lookAt(page, 'first-steps')

      assert.equal(await steps.getByRole('link', { name: 'Make an API key' }).count(), 0, 'its key would be refused')
      await steps.getByRole('button', { name: 'Get API access' }).click()
      const access = page.getByRole('dialog', { name: 'Get API access' })
      await access.getByText('The administrator of this server sets it').waitFor()
      await lookAt(page, 'first-steps-access')
      await grant(database(), rows[0]?.id ?? assert.fail(), 10)
      await access.getByText('This account has API access now').waitFor()
      await access.getByRole('button', { name: 'Done' }).click()

      await steps.getByRole('link', { name: 'Make an API key' }).click()
      await page.getByRole('button', { name: 'Make a key' }).click()
      await page.getByLabel('Name').fill('laptop')
      await page.getByRole('button', { name: 'Make the key' }).click()
      const key = (await page.getByRole('dialog').locator('pre code').textContent()) ?? ''
      await page.getByRole('button', { name: 'I have it' }).click()

      await steps.getByRole('button', { name: 'Call from a program' }).click()
      const dialog = page.getByRole('dialog', { name: 'Call from a program' })
      await lookAt(page, 'first-steps-call')
      const lines = ((await dialog.locator('pre code').textContent()) ?? '').replace('sk_…', key)
      await run('bash', ['-c', lines], { cwd: folder, env: { PATH: process.env.PATH } })
      await dialog.getByText('Your first call has come').waitFor()
      await dialog.getByRole('button', { name: 'Done' }).click()
      await steps.getByText('All done').waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'API keys' }).waitFor()
      assert.equal(await steps.count(), 0)
      assert.deepEqual(faults, [])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('the first steps stay away after a user hides them', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.getByRole('button', { name: 'Hide the first steps' }).click()
    assert.equal(await steps.count(), 0)
    await page.reload()
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    assert.equal(await steps.count(), 0)
    assert.deepEqual(faults, [])
  })

  test('the first steps stay away after a user hides them while the page reads the account', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const steps = page.getByRole('region', { name: 'First steps' })
    await steps.waitFor()
    const hiddenCall = Promise.withResolvers<void>()
    const answeredCall = Promise.withResolvers<void>()
    await page.route('**/api/v2/usage', async (route) => {
      await hiddenCall.promise
      await route.fulfill({ response: await route.fetch() })
      answeredCall.resolve()
    })
    await page.reload()
    await steps.getByRole('button', { name: 'Hide the first steps' }).click()
    hiddenCall.resolve()
    await inTime(answeredCall.promise, 'the account is read')
    // Whatever the page makes of the answer, it has made by the next one.
    await inTime(page.evaluate("fetch('/healthz').then(() => undefined)"), 'an answer to the page')
    assert.equal(await steps.count(), 0)
    await page.reload()
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    assert.equal(await steps.count(), 0)
    assert.deepEqual(faults, [])
  })
})
