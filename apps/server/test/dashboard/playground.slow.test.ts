import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { hdrJpeg } from '@pixelmill/engine/test/support/gain-maps'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, openPlayground, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('playground', { skip: noBrowser }, () => {
  const { visit } = openDashboard()

  test('a new user has a converted picture within a minute', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await lookAt(page, 'sign-in')
    await signUp(page)
    await openPlayground(page)
    await lookAt(page, 'playground-empty')
    await page.getByRole('button', { name: 'Try with ours' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()])
    assert.equal(download.suggestedFilename(), 'photo-converted.webp')
    await lookAt(page, 'playground-converted')
    assert.deepEqual(faults, [])
  })

  test('each operation has a result beside the original', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    for (const name of ['Optimize', 'Flip', 'Flop', 'Resize', 'Crop', 'Watermark']) {
      await page.getByRole('tab', { name, exact: true }).click()
      if (name === 'Watermark') await page.locator('form input[type=file]').setInputFiles(PHOTO)
      if (!['Optimize', 'Flip', 'Flop'].includes(name)) await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('link', { name: 'Download' }).waitFor()
      await lookAt(page, `playground-${name.toLowerCase()}`)
    }
    assert.deepEqual(faults, [])
  })

  test('the result says what became of HDR', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, { name: 'phone.jpg', mimeType: 'image/jpeg', buffer: await hdrJpeg() })
    await page.getByRole('button', { name: 'Convert', exact: true }).click()
    await page.getByRole('term').filter({ hasText: 'HDR' }).waitFor()
    await page.getByRole('definition').filter({ hasText: 'dropped' }).waitFor()
    await lookAt(page, 'playground-hdr')
    assert.deepEqual(faults, [])
  })

  test('an SVG is refused before it is shown, whatever it is called', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const sentTexts: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && sentTexts.push(request.url())))
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'
    for (const [name, mimeType, text] of [
      ['logo.svg', 'image/svg+xml', drawing],
      ['logo.png', 'image/png', `<?xml version="1.0"?>\n<!-- drawn -->\n${drawing}`],
      ['logo', '', drawing],
      ['logo.svgz', '', '\x1f\x8b'],
    ] as const) {
      await pick(page, { name, mimeType, buffer: Buffer.from(text, 'latin1') })
      await page.getByText(`“${name}” is an SVG drawing`).waitFor()
      assert.equal(await page.getByRole('img', { name: 'Original' }).count(), 0)
    }
    await lookAt(page, 'playground-svg')
    assert.deepEqual([sentTexts, faults], [[], []])
  })
})
