import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { encode, heif, picture } from '@pixelmill/codecs/test/support/heif'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import type { Page } from 'playwright-core'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')
const run = promisify(execFile)

describe('formats and lines', { skip: noBrowser }, () => {
  const { server, visit } = openDashboard()

  test('HEIC and TIFF, which the browser cannot show, are shown all the same', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const files = {
      heic: { mimeType: 'image/heic', buffer: heif([picture(await encode(photo()))]) },
      tiff: { mimeType: 'image/tiff', buffer: await photo().tiff().toBuffer() },
    }
    for (const [extension, file] of Object.entries(files)) {
      await pick(page, { name: `photo.${extension}`, ...file })
      await page.locator('.name', { hasText: `photo.${extension}` }).waitFor()
      await page.getByText('Your browser cannot show this format').waitFor()
      await page.getByText('240 × 160 ·').waitFor()
      await page.getByRole('link', { name: 'Download' }).waitFor()
      for (const alt of ['Original', 'Result']) assert.equal(await widthOf(page, alt), 240)
      await lookAt(page, `playground-${extension}`)
    }
    assert.deepEqual(faults, [])
  })

  const widthOf = (page: Page, alt: string) => page.evaluate<number>(`document.querySelector('img[alt="${alt}"]').naturalWidth`)

  test('the lines to copy do what was done: curl and TypeScript, also for a name that a shell would take apart', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pixelmill-lines-'))
    const name = `it's; "my" $photo, 1.jpg`
    try {
      await copyFile(PHOTO, join(folder, name))
      await using reader = await visit()
      const { page } = reader
      await signUp(page)
      await pick(page, join(folder, name))
      await page.getByLabel('Width').fill('100')
      const lines = page.locator('pre code')
      const env = { PATH: process.env.PATH, PIXELMILL_KEY: server().key }
      await run('bash', ['-c', (await lines.textContent()) ?? ''], { cwd: folder, env })
      await page.getByRole('tab', { name: 'TypeScript' }).click()
      await writeFile(join(folder, 'lines.mts'), ((await lines.textContent()) ?? '').replace('converted.webp', 'by-script.webp'))
      await run(process.execPath, ['lines.mts'], { cwd: folder, env })
      const madeTexts = (await readdir(folder)).filter((file) => file.endsWith('.webp'))
      assert.deepEqual(madeTexts, ['by-script.webp', 'converted.webp'])
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('the playground can be used by keys alone', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    const line = page.getByRole('slider', { name: 'Line between original and result' })
    await line.focus()
    for (let pressedCount = 0; pressedCount < 10; pressedCount++) await page.keyboard.press('ArrowLeft')
    assert.equal(await line.inputValue(), '40')
    await page.getByRole('tab', { name: 'Convert' }).focus()
    await page.keyboard.press('ArrowRight')
    assert.equal(await page.getByRole('tab', { name: 'Optimize' }).getAttribute('aria-selected'), 'true')
    await page.getByRole('group', { name: 'Original and result. Plus and minus' }).focus()
    await page.keyboard.press('1')
    await page.locator('.percent', { hasText: '100%' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a theme that was chosen is there after a reload, and the menu of a phone leads everywhere', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.getByRole('radio', { name: 'Dark' }).check({ force: true })
    await page.reload()
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    assert.equal(await page.evaluate('getComputedStyle(document.documentElement).colorScheme'), 'dark')
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('dialog', { name: 'Menu' }).getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'API keys' }).waitFor()
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'API keys')
    assert.deepEqual(faults, [])
  })
})
