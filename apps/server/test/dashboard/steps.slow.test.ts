import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('several steps in the playground', { skip: noBrowser }, () => {
  const { visit } = openDashboard()

  test('a chain is made, reordered, sent in one call, and kept as a preset', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('tab', { name: 'Several steps' }).click()
    const add = page.getByRole('combobox', { name: 'Add a step' })
    for (const step of ['Resize', 'Rotate', 'Text']) await add.selectOption({ label: step })
    const chips = page.getByRole('list', { name: 'Steps' }).getByRole('button')
    const order = async () => (await chips.allTextContents()).map((text) => text.trim()).filter((text) => /^\d/.test(text))
    assert.deepEqual(await order(), ['1. Resize', '2. Rotate', '3. Text'])

    // By keyboard and by button.
    await page.getByRole('button', { name: '2. Rotate' }).press('Alt+ArrowLeft')
    assert.deepEqual(await order(), ['1. Rotate', '2. Resize', '3. Text'])
    await page.getByRole('button', { name: '2. Resize' }).click()
    await page.getByRole('button', { name: 'Earlier' }).click()
    assert.deepEqual(await order(), ['1. Resize', '2. Rotate', '3. Text'])
    await page.getByLabel('Width').first().fill('300')
    await page.getByRole('button', { name: 'Remove step 2' }).click()
    assert.deepEqual(await order(), ['1. Resize', '2. Text'])

    const code = (await page.locator('pre').first().textContent()) ?? ''
    assert.match(code, /\/api\/v3\/images/)
    assert.match(code, /"steps":\[\{"resize":\{"width":300\}\},\{"watermark":\{.*"text":"© Your name"/)
    await page.getByRole('button', { name: 'Make the picture' }).click()
    await page.getByRole('link', { name: 'Download' }).waitFor()
    assert.ok(await page.getByText('300 ×').first().isVisible())

    await page.getByLabel('Save as preset').fill('Shop')
    reader.expectFailures('400')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Must have 1 to 48 lower-case letters').waitFor()
    await page.getByLabel('Save as preset').fill('shop-card')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('preset=shop-card').waitFor()
    await lookAt(page, 'playground-steps')
    assert.deepEqual(faults, [])
  })

  test('a result becomes the input of the next step', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    for (const { tool, steps } of [
      { tool: 'Crop', steps: '{"crop":{"x":400,"y":266,"width":800,"height":534}}' },
      { tool: 'Flip', steps: '{"flip":{}}' },
    ]) {
      await page.getByRole('tab', { name: tool, exact: true }).click()
      if (tool === 'Crop') await page.getByRole('button', { name: tool, exact: true }).click()
      await page.getByRole('link', { name: 'Download' }).waitFor()
      await lookAt(page, `playground-${tool.toLowerCase()}-done`)
      await page.getByRole('button', { name: 'Add another step' }).click()
      await page.getByRole('combobox', { name: 'Add a step' }).selectOption({ label: 'Shades of grey' })
      const code = (await page.locator('pre').first().textContent()) ?? ''
      assert.ok(code.includes(`"steps":[${steps},{"grayscale":{}}]`), code)
      await page.getByRole('button', { name: 'Make the picture' }).click()
      await page.getByRole('img', { name: 'Result' }).waitFor()
    }
    await page.getByRole('tab', { name: 'Convert', exact: true }).click()
    await page.getByRole('slider', { name: 'Scale' }).fill('50')
    await page.getByRole('button', { name: 'Add another step' }).click()
    await page.getByRole('combobox', { name: 'Add a step' }).waitFor()
    const code = (await page.locator('pre').first().textContent()) ?? ''
    assert.ok(code.includes('"steps":[{"resize":{"width":800}}],"outputs":[{"format":"webp","quality":75}]'), code)
    assert.deepEqual(faults, [])
  })
})
