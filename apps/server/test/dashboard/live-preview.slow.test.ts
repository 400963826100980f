import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { judgeOf } from '@pixelmill/vision/likeness/ssimulacra2/ssimulacra2'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { accountTotals } from '../support/account-totals.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')
const PATH = '/api/user/previews'

async function rasterOf(bytes: Buffer): Promise<Raster> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

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

  test('the comparison says what is seen while a slider moves, and the race takes its winner', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const buffer = await sharp(PHOTO).resize(480).jpeg({ quality: 95 }).toBuffer()
    await pick(page, { name: 'beach.jpg', mimeType: 'image/jpeg', buffer })
    await page.getByRole('button', { name: 'Compare and race formats' }).click()
    const dialog = page.getByRole('dialog')
    const download = dialog.getByRole('link', { name: /^Download/ })
    await download.waitFor()
    await dialog.getByLabel('Format').selectOption({ label: 'JPEG' })
    await dialog.getByText('Quality', { exact: true }).click()
    const quality = dialog.getByRole('slider', { name: 'Quality' })
    const estimateSeen = Promise.withResolvers<void>()
    await page.route('**/api/v1/convert', async (route) => {
      await estimateSeen.promise
      await route.fallback()
    })
    for (const value of ['60', '40', '20']) await quality.fill(value)
    await dialog.getByText(/^≈ .*B$/).waitFor()
    // What was made with other settings cannot be downloaded meanwhile.
    assert.equal(await download.count(), 0)
    estimateSeen.resolve()
    await download.waitFor()
    const numbers = await dialog.locator('dl').innerText()
    assert.doesNotMatch(numbers, /≈/)
    const [file] = await Promise.all([page.waitForEvent('download'), download.click()])
    assert.equal(file.suggestedFilename(), 'beach.jpg')
    const bytes = await readFile(await file.path())
    assert.match(numbers, new RegExp(`Size\\s+${(bytes.length / 1000).toPrecision(3)}\\skB`))
    const score = Number(/Score\s+([\d.]+)/.exec(numbers)?.[1])
    using judge = judgeOf([await rasterOf(buffer)])
    assert.ok(Math.abs(judge.score([await rasterOf(bytes)]) - score) < 1, `the page says ${score}`)

    await page.keyboard.press('d')
    await dialog.getByRole('img', { name: 'What differs' }).waitFor()
    await lookAt(page, 'comparison-difference')
    await page.keyboard.press('d')
    await page.keyboard.down('o')
    await dialog.locator('.line.gone').waitFor({ state: 'attached' })
    await page.keyboard.up('o')

    await dialog.getByText('Race', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Race 5 formats · 5 calls' }).click()
    const winner = dialog.getByRole('button', { name: /^Take / }).first()
    await dialog.getByText('Smallest', { exact: true }).waitFor()
    await dialog.getByText(/lossless/).waitFor()
    await lookAt(page, 'comparison-race')
    const name = (await winner.innerText()).replace('Take ', '')
    await winner.click()
    await dialog.getByLabel('Format').waitFor()
    assert.equal(await dialog.getByLabel('Format').locator('option:checked').innerText(), name)
    await download.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
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
