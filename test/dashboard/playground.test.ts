import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../examples/photo.jpg')

describe('playground', { skip: noBrowser }, () => {
  const { visit } = openDashboard()

  test('a newcomer has a converted picture within a minute', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await lookAt(page, 'sign-in')
    await signUp(page)
    await lookAt(page, 'playground-empty')
    await page.getByRole('button', { name: 'Try with ours' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Download' }).click()])
    assert.equal(download.suggestedFilename(), 'converted.webp')
    await lookAt(page, 'playground-converted')
    assert.deepEqual(faults, [])
  })

  test('each operation has a result beside the original', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    for (const name of ['Optimize', 'Resize', 'Crop', 'Watermark']) {
      await page.getByRole('tab', { name, exact: true }).click()
      if (name === 'Watermark') await page.locator('form input[type=file]').setInputFiles(PHOTO)
      if (name !== 'Optimize') await page.getByRole('button', { name, exact: true }).click()
      await page.getByRole('link', { name: 'Download' }).waitFor()
      await lookAt(page, `playground-${name.toLowerCase()}`)
    }
    assert.deepEqual(faults, [])
  })

  test('the part to crop is moved by keys, and Escape takes it back', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.goto(new URL('/playground?tool=crop', page.url()).href)
    await pick(page, PHOTO)
    const left = page.getByLabel('Left')
    await page.getByRole('group', { name: 'Part that is kept' }).focus()
    assert.equal(await left.inputValue(), '400')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Shift+ArrowLeft')
    assert.deepEqual([await left.inputValue(), await page.getByLabel('Width').inputValue()], ['411', '790'])
    await page.keyboard.press('Escape')
    assert.deepEqual([await left.inputValue(), await page.getByLabel('Width').inputValue()], ['400', '800'])
    assert.deepEqual(faults, [])
  })
})
