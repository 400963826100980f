import assert from 'node:assert/strict'
import { mkdtempDisposable, readFile, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, PASSWORD, pick, signIn, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('hardship', { skip: noBrowser }, () => {
  const { server, visit, endSessionsDuring } = openDashboard()

  test('a wrong password is told in words, and what was typed stays', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    expectFailures('401')
    await signIn(page, 'nobody@example.com', 'wrong horse')
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('E-mail address').inputValue(), 'nobody@example.com')
    await lookAt(page, 'sign-in-refused')
    assert.deepEqual(faults, [])
  })

  test('an address that has an account is told beside its field', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const email = await signUp(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('link', { name: 'Make an account' }).click()
    expectFailures('409')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Make an account' }).click()
    await page.locator('input[type=email][aria-invalid=true]').waitFor()
    await lookAt(page, 'sign-up-taken')
    assert.deepEqual(faults, [])
  })

  test('a session that ends in mid-work loses nothing: after signing in again the work goes on by itself', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const email = await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('tab', { name: 'Resize' }).click()
    await page.getByLabel('Width').fill('123')
    expectFailures('401')
    await endSessionsDuring(page, email, () => page.getByRole('button', { name: 'Resize', exact: true }).click())
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await lookAt(page, 'session-ended')
    // The focus is in the only field that is empty.
    await page.keyboard.type(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('123 × 92').waitFor()
    assert.equal(await page.getByLabel('Width').inputValue(), '123')
    assert.deepEqual(faults, [])
  })

  test('a tab notices that another one has signed out, and in again', async () => {
    await using reader = await visit()
    const { page, context, faults } = reader
    const email = await signUp(page)
    const other = await context.newPage()
    await other.goto(`${server().url}/keys`)
    await other.getByRole('button', { name: 'Sign out' }).click()
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await signIn(other, email)
    await other.getByRole('heading', { name: 'API keys' }).waitFor()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(faults, [])
  })

  test('without the server the page says so, and goes on when it is back', async () => {
    await using reader = await visit()
    const { page, context, faults, expectFailures } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    expectFailures('ERR_INTERNET_DISCONNECTED')
    await context.setOffline(true)
    await page.getByRole('radio', { name: 'PNG' }).check({ force: true })
    await page.getByRole('button', { name: 'Convert again', exact: true }).click()
    // A preview may say so too, in a sentence of its own.
    const failure = page.getByText('The server cannot be reached. Check the connection, then try again.', { exact: true })
    await failure.waitFor()
    await lookAt(page, 'server-gone')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await failure.waitFor({ state: 'detached' })
    await page.locator('dd', { hasText: 'PNG' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('what is no picture, or too large, is told before anything else happens', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await signUp(page)
    await pick(page, { name: 'large.png', mimeType: 'image/png', buffer: Buffer.alloc(20 * 2 ** 20) })
    await page.getByText('“large.png” has 21 MB; a picture may have 15 MB.').waitFor()
    expectFailures('400')
    await pick(page, { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture at all') })
    await page.getByText('large.png').waitFor({ state: 'detached' })
    await page.getByRole('alert').waitFor()
    await lookAt(page, 'not-a-picture')
    assert.deepEqual(faults, [])
  })

  test('a picture that is damaged is told as such, without an offer to try it again', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await signUp(page)
    expectFailures('400')
    const buffer = (await readFile(PHOTO)).subarray(0, 60_000)
    await pick(page, { name: 'half.jpg', mimeType: 'image/jpeg', buffer })
    await page.getByText('it ends before its pixels do').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0)
    assert.deepEqual(faults, [])
  })

  test('a picture that is too large takes the place of one that is still being opened, and the next can be picked at once', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    const another = page.getByRole('button', { name: 'Another picture' })
    await another.waitFor()
    // Never answered: what the browser cannot show waits for its preview.
    await page.route('**/api/v1/convert', () => undefined)
    await pick(page, { name: 'slow.tif', mimeType: 'image/tiff', buffer: await solid(64, 48, 'teal').tiff().toBuffer() })
    await page.locator('button[aria-busy=true]', { hasText: 'Another picture' }).waitFor()
    await using folder = await mkdtempDisposable(join(tmpdir(), 'pixelmill-large-'))
    const large = join(folder.path, 'large.png')
    await writeFile(large, '')
    await truncate(large, 20 * 2 ** 20)
    await pick(page, large)
    await page.getByText('“large.png” has 21 MB').waitFor()
    assert.equal(await another.getAttribute('aria-busy'), null)
    assert.deepEqual(faults, [])
  })

  test('names that look like scripts are shown as what they are', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const name = '<img src=x onerror=alert(1)>'
    await signUp(page, name)
    await pick(page, { name: `${name}'";$(id).png`, mimeType: 'image/png', buffer: await solid(64, 48, 'teal').png().toBuffer() })
    await page.getByRole('link', { name: 'Download' }).waitFor()
    assert.equal(await page.locator('img[src=x]').count(), 0)
    await page.locator('.side').getByText(name, { exact: true }).waitFor()
    await lookAt(page, 'script-like-names')
    assert.deepEqual(faults, [])
  })

  test('two quick clicks are one call', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('tab', { name: 'Resize' }).click()
    const calls: string[] = []
    page.on('request', (request) => calls.push(request.url()))
    await page.getByRole('button', { name: 'Resize', exact: true }).dblclick()
    await page.getByRole('link', { name: 'Download' }).waitFor()
    assert.equal(calls.filter((url) => url.endsWith('/api/v1/resize')).length, 1)
    assert.deepEqual(faults, [])
  })
})
