import assert from 'node:assert/strict'
import { copyFile, mkdtempDisposable, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import type { Page } from 'playwright-core'
import { lookAt, noBrowser, type Reader } from '../support/browser.ts'
import { openDashboard, openPlayground, PASSWORD, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('bad days', { skip: noBrowser }, () => {
  const { server, visit, endSessionsDuring } = openDashboard()

  const goTo = (page: Page, name: string) => page.locator('.side').getByRole('link', { name }).click()

  /** A connection as on a train: each answer takes a second and a half. */
  async function slowDown({ page, context }: Reader): Promise<void> {
    const session = await context.newCDPSession(page)
    const latency = 1_500
    const bytesASecond = 200_000
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency,
      downloadThroughput: bytesASecond,
      uploadThroughput: bytesASecond,
    })
  }

  /** POST requests that a page sends from now on. */
  function watchPosts(page: Page, path: string): readonly string[] {
    const sentTexts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && new URL(request.url()).pathname === path) sentTexts.push(request.url())
    })
    return sentTexts
  }

  async function openMakeKey(page: Page, name: string): Promise<void> {
    await goTo(page, 'API keys')
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByLabel('Name').fill(name)
  }

  test('a session that ends while a name is typed: after signing in again the key has that name', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const email = await signUp(page)
    await openMakeKey(page, 'typed in mid-air')
    expectFailures('401')
    await endSessionsDuring(page, email, () => page.getByRole('button', { name: 'Make the key' }).click())
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    await lookAt(page, 'session-ended-above-a-window')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('row', { name: 'typed in mid-air' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('on a slow network a button shows that it works, and more clicks send nothing more', async () => {
    await using reader = await visit('/', 'own')
    const { page, faults } = reader
    await signUp(page)
    await openMakeKey(page, 'slow')
    const sentTexts = watchPosts(page, '/api/user/api-keys')
    await slowDown(reader)
    const button = page.getByRole('button', { name: 'Make the key' })
    await button.dblclick()
    await page.locator('button[aria-busy=true]').waitFor()
    // As a person clicks, who does not wait for what a button says of itself.
    await button.click({ force: true })
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Your new key' }).waitFor()
    assert.equal(sentTexts.length, 1)
    assert.deepEqual(faults, [])
  })

  test('on a slow network a page that is read shows so, and a picture on its way can be called back', async () => {
    await using reader = await visit('/', 'own')
    const { page, faults, expectFailures } = reader
    await signUp(page)
    // The page itself is here already; what it shows is not.
    await goTo(page, 'API keys')
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    await openPlayground(page)
    await slowDown(reader)
    await goTo(page, 'API keys')
    await page.getByText('Loading', { exact: true }).waitFor({ state: 'attached' })
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    await openPlayground(page)
    expectFailures('ERR_ABORTED')
    await pick(page, PHOTO)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Convert', exact: true }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 0)
    assert.deepEqual(faults, [])
  })

  /** What Chromium tells the console of a file that did not come. */
  const ofTheFile = /Failed to fetch dynamically imported module|Couldn't load preload assets/
  const others = (faults: readonly string[]) => faults.filter((fault) => !ofTheFile.test(fault))

  test('without the server a page that was never opened says so, and comes by itself when it is back', async () => {
    await using reader = await visit('/', 'own')
    const { page, context, faults, expectFailures } = reader
    await signUp(page)
    expectFailures('ERR_INTERNET_DISCONNECTED')
    await context.setOffline(true)
    await goTo(page, 'API keys')
    await page.getByText('This page could not be loaded').waitFor()
    await lookAt(page, 'page-not-loaded')
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    assert.equal(await page.getByText('could not be loaded').count(), 0)
    assert.deepEqual(others(faults), [])
  })

  test('a tool that was never opened comes by itself too, and the picture is still there', async () => {
    await using reader = await visit('/', 'own')
    const { page, context, faults, expectFailures } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    expectFailures('ERR_INTERNET_DISCONNECTED')
    await context.setOffline(true)
    await page.getByRole('tab', { name: 'Remove background' }).click()
    await page.getByText('This tool could not be loaded').waitFor()
    await lookAt(page, 'tool-not-loaded')
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Remove background' }).waitFor()
    await page.getByText('photo.jpg').first().waitFor()
    assert.deepEqual(others(faults), [])
  })

  test('a page whose file is gone, as after an upgrade, has the document loaded again', async () => {
    await using reader = await visit('/', 'own')
    const { page, faults, expectFailures } = reader
    await signUp(page)
    expectFailures('404')
    let documents = 0
    page.on('request', (request) => (documents += request.isNavigationRequest() ? 1 : 0))
    // Its name is that of the version before until the document names another.
    await page.route('**/assets/Keys-*.js', async (route) => {
      if (documents === 0) await route.fulfill({ status: 404 })
      else await route.continue()
    })
    await goTo(page, 'API keys')
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    assert.equal(documents, 1)
    assert.deepEqual(others(faults), [])
  })

  test('opened while the server is away, the dashboard says so and starts by itself when it is back', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await signUp(page)
    expectFailures('ERR_FAILED')
    expectFailures('502')
    const answers = ['cut', 'proxy', 'cut']
    await page.route('**/api/user', async (route) => {
      const answer = answers.shift()
      if (answer === 'cut') await route.abort()
      else if (answer === 'proxy') await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' })
      else await route.continue()
    })
    await page.reload()
    await page.getByText('The server cannot be reached').waitFor()
    await page.getByText('Something between this page and the server').waitFor()
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    assert.deepEqual([answers, faults], [[], []])
  })

  test('a document whose script does not come says so', async () => {
    await using reader = await visit('/', 'own')
    const { page, expectFailures } = reader
    expectFailures('ERR_FAILED')
    await page.route('**/assets/index-*.js', (route) => route.abort())
    await page.reload()
    await page.getByText('The dashboard could not be loaded').waitFor()
    await page.unroute('**/assets/index-*.js')
    await page.getByRole('link', { name: 'Load it again' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await page.getByText('could not be loaded').count(), 0)
  })

  test('a picture that changed on the disk since it was chosen is told as that', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'pixelmill-changed-'))
    const file = join(folder.path, 'changing.jpg')
    await copyFile(PHOTO, file)
    // Chromium compares whole seconds, and all of this test may take less than one.
    const aMinuteAgo = Date.now() / 1000 - 60
    await utimes(file, aMinuteAgo, aMinuteAgo)
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await signUp(page)
    await pick(page, file)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    await writeFile(file, 'another file by now')
    expectFailures('ERR_UPLOAD_FILE_CHANGED')
    await page.getByRole('button', { name: 'Convert', exact: true }).click()
    await page.getByText('“changing.jpg” has changed or gone since it was chosen. Choose it again.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('a mistyped address is a page that leads home', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    expectFailures('404')
    await page.goto(`${server().url}/playgruond`)
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    await lookAt(page, 'no-such-address')
    await page.getByRole('link', { name: 'To the dashboard' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('whatever a proxy answers in place of the server is told in a sentence', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await signUp(page)
    await openMakeKey(page, 'behind a proxy')
    const json = 'application/json'
    const answers = [
      { status: 403, contentType: json, body: '{"statusMessage":{"a":1},"message":{"text":"no"}}' },
      { status: 400, contentType: json, body: '{"statusMessage":"x","message":"y","issues":{"a":1}}' },
      { status: 500, contentType: json, body: '{"error":{"message":"no"}}' },
      { status: 500, contentType: json, body: '[{}]' },
      { status: 511, contentType: 'text/html', body: '<h1>Sign in to the Wi-Fi</h1>' },
      { status: 200, contentType: 'text/html', body: '<h1>Sign in to the Wi-Fi</h1>' },
      { status: 200, contentType: json, body: '{"key":' },
    ]
    let answer = answers[0]
    await page.route('**/api/user/api-keys', (route) => route.fulfill(answer ?? assert.fail()))
    for (answer of answers) {
      expectFailures(String(answer.status))
      await page.getByRole('button', { name: 'Make the key' }).click()
      await page.getByText('Something between this page and the server answered in its place').waitFor()
      assert.doesNotMatch(await page.locator('body').innerText(), /\[object|undefined|SyntaxError|Unexpected/)
      await page.getByLabel('Name').fill('again')
      await page.getByRole('button', { name: 'Cancel' }).click()
      await page.getByRole('button', { name: 'Make a key' }).first().click()
      await page.getByLabel('Name').fill('behind a proxy')
    }
    assert.deepEqual(faults, [])
  })

  test('what is read comes by itself when the server is back', async () => {
    await using reader = await visit()
    const { page, context, faults, expectFailures } = reader
    await signUp(page)
    await goTo(page, 'API keys')
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    await goTo(page, 'Compress')
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    expectFailures('ERR_INTERNET_DISCONNECTED')
    await context.setOffline(true)
    await goTo(page, 'API keys')
    await page.getByText('cannot be reached').waitFor()
    await context.setOffline(false)
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    assert.equal(await page.getByText('cannot be reached').count(), 0)
    assert.deepEqual(faults, [])
  })

  test('a key that was revoked in another window is told as that, and the list is read again', async () => {
    await using reader = await visit()
    const { page, context, faults, expectFailures } = reader
    await signUp(page)
    await openMakeKey(page, 'twice')
    await page.getByRole('button', { name: 'Make the key' }).click()
    await page.getByRole('button', { name: 'I have it' }).click()
    const other = await context.newPage()
    await other.goto(`${server().url}/keys`)
    for (const each of [page, other]) await each.getByRole('button', { name: 'Revoke twice' }).click()
    await other.getByRole('button', { name: 'Revoke the key' }).click()
    await other.getByRole('heading', { name: 'No key yet' }).waitFor()
    expectFailures('404')
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByText('had been revoked already').waitFor()
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('another account that signs in at the same browser never sees what this one had open', async () => {
    await using reader = await visit()
    const { page, context, faults } = reader
    await signUp(page, 'First')
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    const other = await context.newPage()
    await other.goto(server().url)
    await other.locator('.side').getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await signUp(other, 'Second')
    assert.ok(await until(async () => (await page.locator('.side .name').textContent()) === 'Second', 10_000))
    assert.equal(await page.getByText('photo.jpg').count(), 0)
    assert.deepEqual(faults, [])
  })
})
