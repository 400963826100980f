import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import type { Download, Page } from 'playwright-core'
import { inspect } from '../support/archives.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { batchesPage } from './batches-page.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('compress', { skip: noBrowser }, () => {
  const { database, visit } = openDashboard()
  const { plan } = batchesPage(database)

  const choose = (page: Page, files: readonly { readonly name: string; readonly mimeType: string; readonly buffer: Buffer }[]) =>
    page.locator('input[type=file][aria-label=Pictures]').setInputFiles([...files])
  const doneCount = (page: Page) => page.locator('li[data-state=done]').count()
  const jpegOf = async (name: string, width: number) => ({
    name,
    mimeType: 'image/jpeg',
    buffer: await photo(width, 80).jpeg({ quality: 100 }).toBuffer(),
  })
  const namesIn = async (download: Download) =>
    (await inspect(await readFile(await download.path()))).map(({ path }) => path).toSorted()

  test('pictures become cards with what was saved; another target makes them again; all go into a ZIP', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await signUp(page)
    await page.getByRole('heading', { name: 'Drop pictures here' }).waitFor()
    await lookAt(page, 'compress-empty')
    expectFailures('400')
    await choose(page, [
      { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: await readFile(PHOTO) },
      await jpegOf('small.jpg', 120),
      { name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') },
      { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('not a picture at all') },
    ])
    await page.getByText('is an SVG drawing').waitFor()
    await page.getByText('the file is none of these').waitFor()
    await page.getByRole('button', { name: 'Compare photo.jpg' }).waitFor()
    await page.getByText('2 of 4 pictures done, 2 failed').waitFor()
    await lookAt(page, 'compress-cards')

    await page.getByLabel('Format').selectOption('webp')
    await page.getByRole('radio', { name: 'At most' }).check({ force: true })
    await page.getByRole('spinbutton', { name: 'At most' }).fill('60')
    await page.locator('li').filter({ hasText: 'photo.jpg' }).getByText('WebP').waitFor()
    assert.ok(await until(async () => (await doneCount(page)) === 2))
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download all' }).click(),
    ])
    assert.deepEqual(await namesIn(download), ['photo.webp', 'small.webp'])
    const sizes = (await inspect(await readFile(await download.path()))).map(({ bytes }) => bytes)
    assert.ok(
      sizes.every((bytes) => bytes <= 60_000),
      sizes.join(),
    )

    await page.getByRole('button', { name: 'Compare photo.jpg' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('img').first().waitFor()
    // While it compares: nothing reads a picture any more whose URL is gone.
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.keyboard.press('Delete')
    await page.getByText('1 of 3 pictures done').waitFor()
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Compare small.jpg, WebP')
    assert.deepEqual(faults, [])
  })

  test('many are said to cost something, are a batch, and are written into a folder beside their originals', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await plan(await signUp(page), 'team')
    await page.reload()
    await page.getByRole('heading', { name: 'Drop pictures here' }).waitFor()
    // A folder of the browser's own stands for one that the user would choose.
    await page.evaluate(
      'window.showDirectoryPicker = async () => await (await navigator.storage.getDirectory()).getDirectoryHandle("holiday", { create: true })',
    )
    const files = await Promise.all(Array.from({ length: 22 }, (_, nth) => jpegOf(`${nth}.jpg`, 64 + nth)))
    await choose(page, files)
    await page.getByText('Up to 22 calls of the').waitFor()
    assert.equal(await doneCount(page), 0)
    await page.getByRole('button', { name: 'Compress 22 pictures' }).click()
    await page.getByText('22 of 22 pictures done').waitFor()
    await page.getByRole('button', { name: 'Save to folder' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('22 pictures saved').waitFor()
    const fileNames = await page.evaluate<string[]>(`(async () => {
      const names = []
      for await (const name of (await (await navigator.storage.getDirectory()).getDirectoryHandle('holiday')).keys()) names.push(name)
      return names.sort()
    })()`)
    assert.equal(fileNames.length, 22)
    assert.deepEqual(faults, [])
  })
})
