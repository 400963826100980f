import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const EXAMPLES = join(import.meta.dirname, '../../../../examples')
const PRODUCT = join(EXAMPLES, 'product.jpg')
const ADDRESS = '/playground?tool=background'

describe('removing backgrounds', { skip: noBrowser }, () => {
  const { visit } = openDashboard()

  test('our own example is cut out, and downloaded with transparency or on a colour', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.goto(new URL(ADDRESS, page.url()).href)
    await page.getByRole('button', { name: 'Try with ours' }).click()
    await page.getByRole('button', { name: 'Remove background' }).click()
    const link = page.getByRole('link', { name: 'Download' })
    await link.waitFor()
    await page.getByText(/this server \d+% sure/).waitFor()
    await page.getByText('49', { exact: true }).waitFor()
    await lookAt(page, 'background')
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
    assert.equal(download.suggestedFilename(), 'product-no-background.png')
    const { data, info } = await sharp(await readFile(await download.path()))
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height, info.channels, data[3]], [1200, 900, 4, 0])

    // What is seen is what is downloaded.
    await page.getByRole('radio', { name: 'Black' }).check({ force: true })
    const colour = await page.evaluate(`getComputedStyle(document.querySelector('img[alt=Result]')).backgroundColor`)
    assert.equal(colour, 'rgb(0, 0, 0)')
    const [colouredDownload] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download on this colour' }).click(),
    ])
    assert.equal(colouredDownload.suggestedFilename(), 'product-on-colour.png')
    const colouredPicture = await sharp(await readFile(await colouredDownload.path()))
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    assert.deepEqual([colouredPicture.info.width, colouredPicture.info.height], [1200, 900])
    assert.deepEqual([...colouredPicture.data.subarray(0, 4)], [0, 0, 0, 255])
    // The subject is where it was.
    const opaque = data.findIndex((value, at) => at % 4 === 3 && value === 255) - 3
    assert.deepEqual([...colouredPicture.data.subarray(opaque, opaque + 3)], [...data.subarray(opaque, opaque + 3)])
    assert.deepEqual(faults, [])
  })

  test('a cut-out that is not sure says what to look at, and one that is does not', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.goto(new URL(ADDRESS, page.url()).href)
    await page.getByRole('button', { name: 'Try with ours' }).click()
    const warning = page.getByText('Look at this cut-out before you use it')
    // The answer of the server, as sure as it is told here.
    for (const [confidence, warns] of [
      ['0.84', true],
      ['0.85', false],
    ] as const) {
      await page.route('**/api/background-remove', async (route) => {
        const response = await route.fetch()
        await route.fulfill({ response, headers: { ...response.headers(), 'x-background-confidence': confidence } })
      })
      await page.getByRole('button', { name: 'Remove background' }).click()
      await page.getByText(`this server ${Number(confidence) * 100}% sure`).waitFor()
      assert.equal((await warning.count()) > 0, warns, confidence)
      if (warns) await lookAt(page, 'background-unsure')
      await page.unroute('**/api/background-remove')
    }
    assert.deepEqual(faults, [])
  })

  test('a picture of which nothing stands out says what helps, and counts nothing', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    reader.expectFailures('422')
    await signUp(page)
    await pick(page, { name: 'noise.png', mimeType: 'image/png', buffer: await photo().png().toBuffer() })
    await page.getByRole('tab', { name: 'Remove background' }).click()
    await page.getByRole('button', { name: 'Remove background' }).click()
    await page.getByText('could not be separated from its background').waitFor()
    await lookAt(page, 'background-not-separable')
    await pick(page, { name: 'product.tiff', mimeType: 'image/tiff', buffer: await sharp(PRODUCT).resize(600).tiff().toBuffer() })
    await page.locator('.name', { hasText: 'product.tiff' }).waitFor()
    assert.equal(await page.getByText('could not be separated from its background').count(), 0)
    await page.getByRole('button', { name: 'Remove background' }).click()
    await page.getByText('49', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('the card keeps its width while the picture is at work', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.goto(new URL(ADDRESS, page.url()).href)
    await page.getByRole('button', { name: 'Try with ours' }).click()
    await page.route('**/api/background-remove', () => undefined)
    await page.getByRole('button', { name: 'Remove background' }).click()
    const cancel = page.getByRole('button', { name: 'Cancel' })
    const card = page.locator('form', { hasText: 'Cancel' })
    const inner = await cancel.boundingBox()
    const outer = await card.boundingBox()
    assert.ok(inner && outer && inner.x + inner.width < outer.x + outer.width, JSON.stringify({ inner, outer }))
    await page.getByRole('progressbar', { name: 'Cutting out' }).waitFor()
    await page.getByText(/^Cutting out: \d+ s$/).waitFor()
    await lookAt(page, 'background-at-work')
    assert.deepEqual(faults, [])
  })

  test('a picture of more than 10 MB is told before it is sent', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const buffer = await sharp({ create: { width: 2000, height: 2000, channels: 3, background: '#888' } })
      .png({ compressionLevel: 0 })
      .toBuffer()
    await pick(page, { name: 'big.png', mimeType: 'image/png', buffer })
    await page.getByRole('tab', { name: 'Remove background' }).click()
    await page.getByText('of up to 10 MB; this one has').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Remove background' }).isDisabled())
    assert.deepEqual(faults, [])
  })
})
