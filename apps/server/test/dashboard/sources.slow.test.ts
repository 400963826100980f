import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const folder = mkdtempSync(join(tmpdir(), 'originals-'))
after(() => rmSync(folder, { recursive: true }))
before(async () => {
  mkdirSync(join(folder, 'two words'))
  writeFileSync(join(folder, 'two words', 'wave #1.jpg'), await photo(600, 400).jpeg().toBuffer())
})

describe('sources', { skip: noBrowser }, () => {
  const { server, database, visit } = openDashboard({ DELIVERY_FOLDERS: folder })

  /**
   * Images that are made cost calls, which the plan Free has for the playground only; and an administrator grants the folders of
   * the operator.
   */
  async function signUpForTeam(page: Page): Promise<void> {
    const email = await signUp(page)
    await database().pool.query(`update account set plan = 'team', delivery_places = '{/}' where email = $1`, [email])
    await page.reload()
  }
  async function add(page: Page, name: string): Promise<string> {
    await page.locator('.side').getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('button', { name: 'Add a source' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByText('Folder', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Folder' }).fill(folder)
    await page.getByRole('button', { name: 'Add the source' }).click()
    return shownSecret(page)
  }
  const shownSecret = async (page: Page): Promise<string> =>
    (await page.getByRole('region', { name: 'secret', exact: true }).textContent()) ?? ''
  const haveIt = (page: Page) => page.getByRole('button', { name: 'I have it' }).click()
  const status = async (url: string): Promise<number> => (await fetch(url)).status

  test('a folder is added after its faults, shows its secret once, and the lines of the page sign with it', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const email = await signUp(page)
    await page.locator('.side').getByRole('link', { name: 'Sources' }).click()
    await page.getByText('new images are refused (402)').waitFor()
    await page.getByRole('heading', { name: 'No source yet' }).waitFor()
    await lookAt(page, 'sources-empty')

    await page.getByRole('button', { name: 'Add a source' }).click()
    await lookAt(page, 'sources-add')
    await page.getByLabel('Name').fill('No!')
    await page.getByText('Folder', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Folder' }).fill('/etc')
    await page.getByText('1 day. After that').waitFor()
    const save = page.getByRole('button', { name: 'Add the source' })
    reader.expectFailures('400')
    await save.click()
    await page.getByText('Must have 1 to 48 lower-case letters').waitFor()
    await page.getByLabel('Name').fill('waves')
    await save.click()
    await page.getByText('Must be a folder that exists').waitFor()
    await lookAt(page, 'sources-faulty')
    // As an administrator does who grants the account the folders of the operator.
    await database().pool.query(`update account set delivery_places = '{/}' where email = $1`, [email])
    await page.getByRole('textbox', { name: 'Folder' }).fill(folder)
    await save.click()

    const secret = await shownSecret(page)
    assert.match(secret, /^[\w-]{43}$/)
    await lookAt(page, 'sources-secret')
    const lines = (await page.getByRole('region', { name: 'signing in TypeScript' }).textContent()) ?? ''
    await page.keyboard.press('Escape')
    await haveIt(page)
    const program = join(folder, '.sign.mts')
    writeFileSync(program, lines.replace('photo.jpg', 'two%20words/wave%20%231.jpg'))
    const env = { PATH: process.env.PATH, SOURCE_SECRET: secret }
    await database().pool.query(`update account set plan = 'team' where email = $1`, [email])
    const url = execFileSync(process.execPath, [program], { env, encoding: 'utf8' }).trim()
    assert.ok(url.startsWith(server().url))
    assert.equal(await status(url), 200)
    assert.equal(await status(url.replace('w=400', 'w=401')), 403)

    await page.getByRole('heading', { name: 'waves' }).waitFor()
    await page.getByText(folder).waitFor()
    await lookAt(page, 'sources')
    await page.getByRole('link', { name: 'Files of waves' }).click()
    await page.getByRole('link', { name: 'two words' }).click()
    const tile = page.getByRole('button', { name: /^wave #1\.jpg/ })
    await tile.locator('img').waitFor()
    await tile.focus()
    await page.keyboard.press('Space')
    const inBuilder = page.getByRole('link', { name: 'Open in the builder' })
    assert.equal(await inBuilder.getAttribute('href'), '/edit/resize?source=waves&path=two+words%2Fwave+%231.jpg')
    await lookAt(page, 'sources-files')
    await page.getByRole('button', { name: 'Try it' }).click()
    await page.getByRole('dialog').getByText('400 × 267').waitFor()
    await page.getByRole('button', { name: 'Close' }).last().click()
    await page.getByRole('navigation', { name: 'Folder' }).getByRole('link', { name: 'Sources' }).click()
    assert.doesNotMatch((await page.textContent('body')) ?? '', new RegExp(secret))
    // The name is the account's own already: its source is not replaced by accident.
    await page.getByRole('button', { name: 'Add a source' }).click()
    await page.getByLabel('Name').fill('waves')
    await page.getByLabel('Base URL').fill('https://example.com/')
    await save.click()
    await page.getByText('You have a source of this name already.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    assert.deepEqual(faults, [])
  })

  test('a bucket needs a key, and keeps its secret where that is left empty', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.locator('.side').getByRole('link', { name: 'Sources' }).click()
    await page.getByRole('button', { name: 'Add a source' }).click()
    await page.getByLabel('Name').fill('shop')
    await page.getByText('Bucket', { exact: true }).click()
    await page.getByRole('textbox', { name: 'Bucket' }).fill('pictures')
    await page.getByLabel('Prefix').fill('public')
    reader.expectFailures('400')
    const save = page.getByRole('button', { name: 'Add the source' })
    await save.click()
    await page.getByText('DELIVERY_BUCKETS has no such bucket and prefix that you may use').waitFor()
    await page.getByLabel('Access key id').fill('AKIA1')
    await save.click()
    await page.getByText('Is needed with another accessKeyId').waitFor()
    await lookAt(page, 'sources-bucket')
    await page.getByLabel('Secret key').fill('very secret')
    await save.click()
    await page.getByText('Must have 1 to 200 visible characters.').waitFor()
    await page.getByLabel('Secret key').fill('very-secret')
    await save.click()
    await haveIt(page)
    await page.getByText('pictures/public').waitFor()

    await page.getByRole('button', { name: 'Edit shop' }).click()
    await page.getByText('Leave it empty to keep the saved one.').waitFor()
    assert.equal(await page.getByLabel('Secret key').inputValue(), '')
    await page.getByLabel('Prefix').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The source “shop” is saved.').waitFor()
    await page.getByText('pictures', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('pictures are tried by a path and parameters, and the server says what is wrong', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUpForTeam(page)
    await add(page, 'tried')
    await haveIt(page)
    const recipe = { steps: [{ resize: { width: 50 } }], outputs: [{ format: 'webp' }] }
    const sentValue = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ recipe }) }
    assert.ok(await page.evaluate(`fetch('/api/user/presets/small', ${JSON.stringify(sentValue)}).then(({ ok }) => ok)`))
    await page.getByRole('button', { name: 'Try it with tried' }).click()
    const dialog = page.getByRole('dialog')
    const tryIt = dialog.getByRole('button', { name: 'Try it' })
    reader.expectFailures('404')
    reader.expectFailures('400')
    await dialog.getByLabel('Path').fill('gone.jpg')
    await tryIt.click()
    await dialog.getByText('The source has no such image').waitFor()
    await lookAt(page, 'sources-try-gone')
    await dialog.getByLabel('Path').fill('../secret.jpg')
    await tryIt.click()
    await dialog.getByText('Its parts must not be empty').waitFor()

    await dialog.getByLabel('Path').fill('two words/wave #1.jpg')
    await dialog.getByLabel('Width').fill('300')
    await tryIt.click()
    await dialog.getByText('300 × 200').waitFor()
    await dialog.getByText('image/avif').waitFor()
    await dialog.getByText('miss', { exact: true }).waitFor()
    await tryIt.click()
    await dialog.getByText('hit', { exact: true }).waitFor()
    await lookAt(page, 'sources-try')
    await dialog.getByLabel('Format').selectOption('png')
    await tryIt.click()
    await dialog.getByText('image/png').waitFor()
    const url = (await dialog.getByRole('region', { name: 'signed URL' }).textContent()) ?? ''
    assert.match(url, /\/i\/tried\/two%20words\/wave%20%231\.jpg\?w=300&f=png&s=[\w-]{22}$/)
    assert.equal(await status(url), 200)
    await dialog.getByLabel('Preset').selectOption('small')
    await tryIt.click()
    await dialog.getByText('50 × 33').waitFor()
    assert.equal(await dialog.getByLabel('Width').count(), 0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    // The next reading of the list has what was delivered.
    await page.getByText(/^[1-9][\d.]*\s(kB|B)$/).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a picture of a source in the playground has the URL of what is seen, until another one is opened', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUpForTeam(page)
    await add(page, 'played')
    await haveIt(page)
    await page.goto(`${server().url}/playground?source=played&path=two+words%2Fwave+%231.jpg`)
    await page.getByText('600 × 400').first().waitFor()
    const url = async (): Promise<URL> => {
      const text = (await page.getByRole('region', { name: 'signed URL' }).textContent()) ?? ''
      return new URL(text)
    }
    const parameter = async (name: string) => (await url()).searchParams.get(name)

    await page.getByRole('tab', { name: 'Resize' }).click()
    await page.getByRole('tab', { name: 'URL', exact: true }).click()
    await page.getByLabel('Width').first().fill('120')
    assert.ok(await until(async () => (await parameter('w')) === '120'))
    assert.deepEqual([await parameter('h'), await parameter('r')], ['200', null])
    assert.equal((await url()).pathname, '/i/played/two%20words/wave%20%231.jpg')

    await page.getByRole('button', { name: 'Resize' }).click()
    await page.getByRole('button', { name: 'Add another step' }).click()
    await page.getByRole('button', { name: 'Add a step', exact: true }).click()
    await page.getByRole('combobox', { name: 'Add a step' }).fill('flop')
    await page.keyboard.press('Enter')
    await page.getByRole('tab', { name: 'URL', exact: true }).click()
    // Short parameters mirror before they resize.
    assert.ok(await until(async () => (await parameter('r')) !== null))
    const recipe = JSON.parse(Buffer.from((await parameter('r')) ?? '', 'base64url').toString())
    assert.deepEqual(recipe.steps[1], { flop: {} })
    const madeBytes = Buffer.from(await (await fetch(await url())).arrayBuffer())
    const { width } = await sharp(madeBytes).metadata()
    assert.equal(width, 120)
    await lookAt(page, 'sources-playground')

    // The address names the picture.
    await page.goto(`${server().url}/playground?source=played&path=${encodeURIComponent('two words/wave #1.jpg')}`)
    await page.getByText('600 × 400').first().waitFor()
    await page.getByRole('tab', { name: 'URL', exact: true }).waitFor()
    await pick(page, { name: 'other.png', mimeType: 'image/png', buffer: await photo(90, 60).png().toBuffer() })
    await page.getByText('90 × 60').first().waitFor()
    assert.equal(await page.getByRole('tab', { name: 'URL', exact: true }).count(), 0)
    assert.equal(new URL(page.url()).search, '')
    reader.expectFailures('404')
    await page.goto(`${server().url}/playground?source=somebody-elses&path=a.jpg`)
    await page.getByText('There is no such source').waitFor()
    assert.deepEqual(faults, [])
  })

  test('a source is changed, gets a new secret, is purged and removed', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUpForTeam(page)
    const first = await add(page, 'short-lived')
    await haveIt(page)
    await page.getByRole('button', { name: 'Edit short-lived' }).click()
    await page.getByLabel('Seconds for which').fill('90000')
    await page.getByText('1 day and 1 hour. After that').waitFor()
    await page.getByRole('switch', { name: 'Serve presets without a signature' }).check()
    await lookAt(page, 'sources-edit')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Presets without a signature').waitFor()
    await page.getByText('1 day and 1 hour').waitFor()

    await page.getByRole('button', { name: 'New secret of short-lived' }).click()
    await page.getByText('The current secret stays valid until the next new one.').waitFor()
    await lookAt(page, 'sources-new-secret')
    await page.getByRole('button', { name: 'Make a new secret' }).click()
    assert.notEqual(await shownSecret(page), first)
    await haveIt(page)

    await page.getByRole('button', { name: 'Purge short-lived' }).click()
    await lookAt(page, 'sources-purge')
    await page.getByLabel('Path').fill('two words/wave #1.jpg')
    await page.getByRole('button', { name: 'Purge this path' }).click()
    await page.getByText('is made anew when it is next asked for').waitFor()
    await page.getByRole('button', { name: 'Purge short-lived' }).click()
    await page.getByRole('button', { name: 'Purge everything' }).click()
    await page.getByText('are made anew when they are next asked for').waitFor()

    await page.getByRole('button', { name: 'Remove short-lived' }).click()
    await lookAt(page, 'sources-remove')
    await page.getByRole('button', { name: 'Remove the source' }).click()
    await page.getByRole('heading', { name: 'No source yet' }).waitFor()
    assert.deepEqual(faults, [])
  })
})
