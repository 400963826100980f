import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import type { Page } from 'playwright-core'
import { inTime, lookAt, noBrowser, type Reader } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'
import type { FakeVision } from '../support/fake-vision.ts'
import { startSeeingModel } from '../support/seeing-model.ts'

const PRODUCT = join(import.meta.dirname, '../../../../examples/product.jpg')
const run = promisify(execFile)
const settings: Record<string, string> = {
  AI_MODEL: 'mug',
  EGRESS_ALLOW: '127.0.0.1',
  AI_KEY_ENCRYPTION_SECRET: 'a secret for tests',
}

describe('AI tools of the playground', { skip: noBrowser }, () => {
  let model: FakeVision | undefined
  before(async () => {
    model = await startSeeingModel()
    settings.AI_BASE_URL = model.url
  })
  after(() => model?.[Symbol.asyncDispose]())
  const { server, database, visit } = openDashboard(settings)

  /** Somebody with a picture, at a tool. */
  async function visitTool(tool: string, plan: 'free' | 'team' = 'team'): Promise<Reader> {
    const reader = await visit()
    const { page } = reader
    const email = await signUp(page)
    await database().kysely.updateTable('account').set({ plan }).where('email', '=', email).execute()
    await page.goto(`${server().url}/playground?tool=${tool}`)
    await page.getByRole('heading', { name: /^Drop (a picture|pictures) here$/ }).waitFor()
    await pick(page, PRODUCT)
    return reader
  }
  const press = (page: Page, name: string) => page.locator('form').getByRole('button', { name, exact: true }).click()
  const choose = (page: Page, name: string) => page.getByRole('tab', { name, exact: true }).click()

  test('several pictures get a text each, which are copied together; one that fails keeps no other from its text', async () => {
    await using reader = await visitTool('alt-text')
    const { page, context, faults } = reader
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    reader.expectFailures('400')
    const buffer = await readFile(PRODUCT)
    const names = ['mug.jpg', 'broken.jpg', 'cup.jpg']
    await page
      .locator('input[type=file][aria-label=Picture]')
      .setInputFiles(
        names.map((name) => ({ name, mimeType: 'image/jpeg', buffer: name === 'broken.jpg' ? buffer.subarray(0, 900) : buffer })),
      )
    await page.getByText('0 of 3 pictures have a text.').waitFor()
    assert.equal(await page.getByText('came at once').count(), 0)
    await press(page, 'Write 3 alt texts')
    await page.getByText('2 of 3 pictures have a text.').waitFor()
    await page.getByRole('button', { name: 'Write 1 alt text', exact: true }).waitFor()
    await page.locator('li', { hasText: 'broken.jpg' }).locator('.bad').waitFor()
    await page.getByRole('button', { name: 'Copy all texts with their file names' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    const text = 'A teal mug of “coffee” on a pale grey table.'
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `mug.jpg\t${text}\ncup.jpg\t${text}`)
    await lookAt(page, 'tools-alt-texts')
    assert.deepEqual(faults, [])
  })

  test('an alternative text is written in the language that is chosen, one after the other, and copied', async () => {
    await using reader = await visitTool('alt-text')
    const { page, context, faults } = reader
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await press(page, 'Write alt text')
    await page.getByText('A teal mug of').waitFor()
    await page.locator('form').getByLabel('Language').selectOption('German')
    await press(page, 'Write another text')
    await page.getByText('German · ').waitFor()
    assert.equal(await page.locator('.texts li').count(), 2)
    await page.getByRole('button', { name: 'Copy as HTML the attribute' }).first().click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), 'alt="A teal mug of “coffee” on a pale grey table."')
    await lookAt(page, 'tools-alt-text')
    // Pages by intent have the same picture, and what was made of it.
    await page.locator('.side').getByRole('link', { name: 'Inspect' }).click()
    await press(page, 'Inspect')
    await page.getByRole('heading', { name: 'Metadata' }).waitFor()
    assert.equal(await page.getByRole('tab', { name: 'Alt text' }).count(), 0)
    await page.locator('.side').getByRole('link', { name: 'Describe' }).click()
    assert.deepEqual(await page.getByRole('tablist', { name: 'Tool' }).getByRole('tab').allTextContents(), [
      'Alt text',
      'Rename',
      'Recommend',
    ])
    await page.locator('.texts li').nth(1).waitFor()
    assert.equal(await page.locator('.texts li').count(), 2)
    await lookAt(page, 'tools-describe')
    assert.deepEqual(faults, [])
  })

  test('a file is downloaded under the name that was found', async () => {
    await using reader = await visitTool('rename')
    const { page, faults } = reader
    await page.getByLabel('Words in front').fill('Summer shop')
    await press(page, 'Find a name')
    const link = page.getByRole('link', { name: 'Download as summer-shop-teal-coffee-mug.jpg' })
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.equal(download.suggestedFilename(), 'summer-shop-teal-coffee-mug.jpg')
    await lookAt(page, 'tools-file-name')
    assert.deepEqual(faults, [])
  })

  test('each crop is drawn on the picture and downloaded', async () => {
    await using reader = await visitTool('smart-crop')
    const { page, faults } = reader
    await page.getByLabel('X header').check()
    await page.getByLabel('A ratio of your own').fill('3')
    await page.getByText('Both sides are needed.').waitFor()
    await page.getByLabel('Height of the ratio').fill('1')
    await press(page, 'Find crops')
    await page.getByRole('button', { name: 'X header' }).click()
    const drawnLocator = page.locator('.crop')
    const { width, height } = (await drawnLocator.boundingBox()) ?? assert.fail('no crop is drawn')
    assert.ok(Math.abs(width / height - 3) < 0.1, `${width} × ${height}`)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download for X header' }).click(),
    ])
    assert.equal(download.suggestedFilename(), 'product-twitter-header.jpg')
    await lookAt(page, 'tools-smart-crop')
    assert.deepEqual(faults, [])
  })

  test('what is recommended becomes the settings of Convert, and is done', async () => {
    await using reader = await visitTool('recommend')
    const { page, faults } = reader
    await page.getByLabel('What it is for').selectOption('A web page')
    await press(page, 'Recommend')
    await page.getByText('It shows a product.').waitFor()
    await lookAt(page, 'tools-recommend')
    await page.getByRole('button', { name: 'Convert with these' }).click()
    const link = page.getByRole('link', { name: 'Download' })
    await link.waitFor()
    assert.ok(await page.getByRole('radio', { name: 'AVIF' }).isChecked())
    assert.equal(await link.getAttribute('download'), 'product-converted.avif')
    assert.deepEqual(faults, [])
  })

  test('enhancing tells what was done, and the lines to copy do the same', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pixelmill-lines-'))
    try {
      await using reader = await visitTool('enhance')
      const { page, faults } = reader
      const blurredBytes = await photo(320, 200).blur(2).jpeg().toBuffer()
      const name = `it's "soft".jpg`
      await writeFile(join(folder, name), blurredBytes)
      const cleanPath = join(folder, 'clean.png')
      await writeFile(cleanPath, await photo(320, 200).blur(1).png().toBuffer())
      await pick(page, cleanPath)
      await page.locator('.name', { hasText: 'clean' }).waitFor()
      await press(page, 'Enhance')
      await page.getByText('Nothing to improve').waitFor()
      await pick(page, join(folder, name))
      await page.locator('.name', { hasText: 'soft' }).waitFor()
      await page.getByLabel('What to do').selectOption('Enlarge')
      await press(page, 'Enhance')
      await page.getByText('640 × 400').waitFor()
      await lookAt(page, 'tools-enhance')
      const env = { PATH: process.env.PATH, PIXELMILL_KEY: server().key }
      const lines = page.locator('pre code')
      await run('bash', ['-c', `${await lines.textContent()} && grep -q '"requestedMode":"upscale"' enhanced.json`], {
        cwd: folder,
        env,
      })
      await page.getByRole('tab', { name: 'TypeScript' }).click()
      await writeFile(join(folder, 'lines.mjs'), (await lines.textContent()) ?? '')
      await run(process.execPath, ['lines.mjs'], { cwd: folder, env })
      await run('test', ['-s', join(folder, 'enhanced.jpeg')])
      assert.deepEqual(faults, [])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('without AI in the plan there is a way on; with a saved model it is used, and long work can be cancelled', async () => {
    await using reader = await visitTool('alt-text', 'free')
    const { page, faults } = reader
    await page.getByRole('heading', { name: 'Your plan has no AI' }).waitFor()
    await lookAt(page, 'tools-no-ai')
    const body = { baseUrl: model?.url, model: 'slow', apiKey: 'sk-own-canary' }
    const save = `fetch('/api/user/ai-key', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: ${JSON.stringify(JSON.stringify(body))} })`
    await inTime(page.evaluate(`${save}.then(() => undefined)`), 'the model is saved')
    await choose(page, 'Convert')
    await choose(page, 'Alt text')
    await page.getByText('yours, slow').waitFor()
    await press(page, 'Write alt text')
    await page.getByText(/^Working: \d+ s$/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText(/^Working: /).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('alert').count(), 0)
    await choose(page, 'Enhance')
    await page.getByRole('heading', { name: 'Your plan has no AI' }).waitFor()
    assert.deepEqual(faults, [])
  })
})
