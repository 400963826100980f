import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { accountTotals } from '../support/account-totals.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')
const PATH = '/api/user/previews'

describe('previews in the playground', { skip: noBrowser }, () => {
  const { visit, database } = openDashboard()

  const accountOf = async (email: string): Promise<string> =>
    (await database().pool.query<{ id: string }>('select id from account where email = $1', [email])).rows[0]?.id ?? ''

  /** The requests for previews that a page sends, and how many are under way. */
  function watch(page: Page) {
    const seenValue = { sent: 0, underWay: 0, most: 0 }
    const isOne = (request: { url(): string }) => new URL(request.url()).pathname === PATH
    page.on('request', (request) => {
      if (!isOne(request)) return
      seenValue.sent++
      seenValue.underWay++
      seenValue.most = Math.max(seenValue.most, seenValue.underWay)
    })
    const onRequestEnd = (request: { url(): string }) => void (isOne(request) && seenValue.underWay--)
    page.on('requestfinished', onRequestEnd)
    page.on('requestfailed', onRequestEnd)
    return seenValue
  }

  test('a slider that moves shows how the result will look, and costs nothing', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const account = await accountOf(await signUp(page))
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    const before = await accountTotals(database(), account)
    const seenValue = watch(page)
    const quality = page.getByRole('slider', { name: 'Quality' })
    for (const value of ['60', '45', '30', '15', '5']) await quality.fill(value)
    await page.getByRole('img', { name: 'Preview' }).waitFor()
    await page.getByText('A preview, made from a small copy: not counted.').waitFor()
    assert.ok(seenValue.sent >= 1 && seenValue.sent < 5, `${seenValue.sent} requests`)
    assert.equal(seenValue.most, 1)
    assert.deepEqual(await accountTotals(database(), account), before)
    await lookAt(page, 'playground-preview')

    // What was made already needs no preview.
    await quality.fill('75')
    await page.getByRole('img', { name: 'Result' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('the scale of a resize shows its size before it is made', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('tab', { name: 'Resize', exact: true }).click()
    await page.getByRole('slider', { name: 'Scale' }).fill('25')
    const width = Number(await page.getByLabel('Width').inputValue())
    const { width: whole } = await sharp(PHOTO).metadata()
    assert.equal(width, Math.round(whole / 4))
    await page.getByRole('img', { name: 'Preview' }).waitFor()
    await lookAt(page, 'playground-preview-resize')
    assert.deepEqual(faults, [])
  })

  test('several steps are shown while they are set', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('tab', { name: 'Several steps' }).click()
    const add = page.getByRole('combobox', { name: 'Add a step' })
    await add.selectOption({ label: 'Shades of grey' })
    await page.getByRole('img', { name: 'Preview' }).waitFor()
    await add.selectOption({ label: 'Text' })
    await page.getByRole('group', { name: /^Watermark/ }).waitFor()
    await lookAt(page, 'playground-preview-steps')
    assert.deepEqual(faults, [])
  })

  test('a watermark is placed by pointer and by keys', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('tab', { name: 'Watermark', exact: true }).click()
    await page.locator('form input[type=file]').setInputFiles(PHOTO)
    const box = page.getByRole('group', { name: /^Watermark/ })
    const position = page.getByLabel('Position')
    assert.equal(await position.inputValue(), 'bottom-right')
    const from = await box.boundingBox()
    const picture = await page.getByRole('img', { name: 'Original' }).boundingBox()
    assert.ok(from && picture)
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(picture.x + 20, picture.y + 20, { steps: 4 })
    await page.mouse.up()
    assert.equal(await position.inputValue(), 'top-left')
    await lookAt(page, 'playground-mark')
    await box.press('ArrowRight')
    assert.equal(await position.inputValue(), 'top-right')
    const size = page.getByRole('slider', { name: 'Size' })
    const scale = Number(await size.inputValue())
    await box.press('+')
    assert.ok(Number(await size.inputValue()) > scale)
    await page.getByRole('button', { name: 'Watermark', exact: true }).click()
    await page.getByRole('img', { name: 'Result' }).waitFor()
    assert.deepEqual(faults, [])
  })
})
