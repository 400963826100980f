import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { inspect } from '../support/archives.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'
import { batchesPage } from './batches-page.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('the builder', { skip: noBrowser }, () => {
  const { database, visit } = openDashboard()
  const { plan } = batchesPage(database)

  async function add(page: Page, words: string, menu = 'Add a step'): Promise<void> {
    await page.getByRole('button', { name: menu, exact: true }).click()
    await page.getByRole('combobox', { name: menu, exact: true }).fill(words)
    await page.keyboard.press('Enter')
  }

  const cards = (page: Page, list = 'Steps') =>
    page.getByRole('list', { name: list, exact: true }).locator('button[aria-expanded]')
  const order = async (page: Page) => (await cards(page).locator('.label').allTextContents()).join(', ')
  const code = async (page: Page) => (await page.locator('pre').first().textContent()) ?? ''

  test('steps are set on the picture, ordered, taken back, and kept as a preset that opens again', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.getByRole('link', { name: 'Resize & crop' }).click()
    await page.getByRole('heading', { name: 'Resize & crop' }).waitFor()
    await pick(page, PHOTO)
    await page.getByRole('img', { name: 'Preview' }).waitFor()
    // The step suits the picture, of 1024 × 768 pixels.
    assert.equal(await page.getByLabel('Width').first().inputValue(), '512')

    // By pointer on the picture.
    await add(page, 'cut to a frame')
    const frame = page.getByRole('group', { name: /^Part that is kept/ })
    const corner = await frame.locator('.se').boundingBox()
    assert.ok(corner)
    await page.mouse.move(corner.x + corner.width / 2, corner.y + corner.height / 2)
    await page.mouse.down()
    await page.mouse.move(corner.x - 150, corner.y - 100, { steps: 3 })
    await page.mouse.up()
    const width = Number(await page.getByLabel('Width').first().inputValue())
    assert.ok(width > 100 && width < 410, `${width}`)
    await lookAt(page, 'builder-crop')

    // A drag is one step back, and forward again.
    await page.keyboard.press('Control+z')
    assert.equal(await page.getByLabel('Width').first().inputValue(), '410')
    await page.keyboard.press('Control+Shift+z')
    assert.equal(await page.getByLabel('Width').first().inputValue(), String(width))

    await add(page, 'logo')
    await page.getByRole('group', { name: /^Watermark/ }).press('ArrowLeft')
    assert.equal(await page.getByRole('combobox', { name: 'Position' }).inputValue(), 'bottom')
    await lookAt(page, 'builder-watermark')
    assert.equal(await order(page), 'Resize, Crop, Watermark')
    await cards(page).nth(2).press('Alt+ArrowUp')
    assert.equal(await order(page), 'Resize, Watermark, Crop')
    await page.getByRole('button', { name: 'Undo' }).click()
    await cards(page).nth(0).press('Delete')
    assert.equal(await order(page), 'Crop, Watermark')

    await page.getByRole('button', { name: 'Save as preset' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Shop')
    reader.expectFailures('400')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Must have 1 to 48 lower-case letters').waitFor()
    await page.getByRole('dialog').getByLabel('Name').fill('shop')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'shop', exact: true }).waitFor()

    // Leaving what is not saved asks first.
    await page.getByRole('button', { name: 'Switch off Crop' }).click()
    await page.getByRole('link', { name: 'Presets' }).click()
    await page.getByRole('dialog', { name: 'Save the changes?' }).waitFor()
    await lookAt(page, 'builder-leave')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await cards(page).first().waitFor()
    assert.equal(await order(page), 'Crop, Watermark')
    await page.getByRole('button', { name: 'Use in a batch' }).click()
    await page.getByRole('heading', { name: 'Batches', exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('several files come out, which the code and the JSON say too', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.goto(new URL('/edit/new', page.url()).href)
    await pick(page, PHOTO)
    await add(page, 'black and white')
    for (const name of [/^Card/, /^Thumbnail/]) {
      await page.getByRole('button', { name: 'Add an output' }).click()
      await page.getByRole('button', { name }).click()
    }
    await cards(page, 'Steps of thumb').click()
    await page.getByRole('combobox', { name: 'Keep' }).selectOption({ label: 'A focal point' })
    await page.getByRole('group', { name: /^Focal point/ }).press('Shift+ArrowRight')
    const outputs = page.getByRole('list', { name: 'Outputs' })
    await outputs.getByText('WebP · 320 × 320').waitFor()
    await outputs
      .getByText(/≈\s.*kB/)
      .nth(1)
      .waitFor()
    await lookAt(page, 'builder-outputs')

    for (const [tab, text] of [
      ['curl', /-F 'recipe=\{"steps":\[\{"grayscale":\{\}\}\],"outputs":\[\{"name":"card".*"gravity":\{"x":0\.6,"y":0\.5\}/],
      ['TypeScript', /form\.append\('recipe'/],
      ['Python', /data=\{/],
      ['CLI', /pixelmill convert photo\.jpg --recipe recipe\.json/],
      ['MCP', /edit_image on photo\.jpg/],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      assert.match(await code(page), text)
    }

    await page.getByRole('button', { name: 'Make the 2 pictures' }).click()
    await page.getByRole('button', { name: 'Download all 2' }).waitFor()
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download thumb' }).click()
    const file = await downloading
    assert.equal(file.suggestedFilename(), 'photo-thumb.webp')
    const thumb = await sharp(await file.path()).metadata()
    assert.deepEqual([thumb.format, thumb.width, thumb.height], ['webp', 320, 320])
    const [zip] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Download all 2' }).click()])
    assert.equal(zip.suggestedFilename(), 'photo.zip')
    assert.deepEqual((await inspect(await readFile(await zip.path()))).map(({ path }) => path).toSorted(), [
      'card.webp',
      'thumb.webp',
    ])

    await page.getByRole('tab', { name: 'JSON' }).click()
    const json = page.getByRole('textbox', { name: 'Recipe' })
    await json.fill('{')
    await page.getByText('This is not JSON').waitFor()
    reader.expectFailures('400')
    await json.fill('{"steps": [{"resize": {"width": 0}}]}')
    await page.getByText('steps.0.resize.width', { exact: true }).waitFor()
    await json.fill('{"steps": [{"resized": {}}]}')
    await page
      .getByText(/Must have one key, the name of the step/)
      .first()
      .waitFor()
    await lookAt(page, 'builder-json')
    await json.fill('{"steps": [{"flip": {}}], "outputs": [{"format": "png"}]}')
    assert.equal(await order(page), 'Flip')
    await outputs.getByText('PNG · 1024 × 768').waitFor()
    assert.equal(await page.getByRole('button', { name: 'Download all 2' }).count(), 0)
    assert.deepEqual(faults, [])
  })

  test('files that came together go into a batch with the recipe that was made on the first', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await plan(await signUp(page), 'team')
    await page.reload()
    await page.getByRole('link', { name: 'Resize & crop' }).click()
    const buffer = await readFile(PHOTO)
    await page
      .locator('input[type=file][aria-label=Picture]')
      .setInputFiles(['one', 'two', 'three'].map((name) => ({ name: `${name}.jpg`, mimeType: 'image/jpeg', buffer })))
    await page.getByText('3 files came at once.').waitFor()
    await lookAt(page, 'builder-together')
    // Its own size is in place of the one that the page began with.
    await page.getByRole('button', { name: 'Add an output' }).click()
    await page.getByRole('button', { name: /^Hero/ }).click()
    await page.getByRole('list', { name: 'Outputs' }).getByText('WebP · 1024 × 768').waitFor()
    await page.getByRole('button', { name: 'Apply to all 3' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('small')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: '3 pictures' }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Preset' }).inputValue(), 'small')
    assert.deepEqual(faults, [])
  })

  test('settings of the playground become the first steps of a recipe', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    await page.getByRole('slider', { name: 'Scale' }).fill('50')
    await page.getByRole('button', { name: 'Add another step' }).click()
    await page.getByRole('heading', { name: 'Edit a picture' }).waitFor()
    const text = await code(page)
    assert.ok(text.includes('"steps":[{"resize":{"width":512}}],"outputs":[{"format":"webp","quality":75}]'), text)
    assert.deepEqual(faults, [])
  })
})
