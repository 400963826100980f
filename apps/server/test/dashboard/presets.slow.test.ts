import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { dropOnto } from '../support/drop.ts'
import { unzip } from '../support/unzip.ts'
import { batchesPage } from './batches-page.ts'

const folder = mkdtempSync(join(tmpdir(), 'dropped-'))
after(() => rmSync(folder, { recursive: true }))

describe('presets', { skip: noBrowser }, () => {
  const { visit, database } = openDashboard({ RENDERERS: '1' })
  const { atBatches } = batchesPage(database)

  test('are listed with what they make, renamed and removed', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.getByRole('link', { name: 'Presets' }).click()
    await page.getByText('No preset yet').waitFor()
    await lookAt(page, 'presets-empty')
    const recipe = { steps: [{ trim: {} }], outputs: [{ format: 'webp', steps: [{ resize: { width: 60 } }] }] }
    const saving = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ recipe }) }
    assert.ok(await page.evaluate(`fetch('/api/user/presets/shop-card', ${JSON.stringify(saving)}).then(({ ok }) => ok)`))
    await page.reload()
    await page.getByRole('row', { name: /shop-card Trim → WebP, Resize/ }).waitFor()
    await lookAt(page, 'presets')
    assert.ok(await page.evaluate(`fetch('/api/user/presets/other', ${JSON.stringify(saving)}).then(({ ok }) => ok)`))
    await page.reload()
    await page.getByRole('button', { name: 'Rename shop-card' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('other')
    await page.keyboard.press('Enter')
    await page.getByText('A preset has this name already.').waitFor()
    await lookAt(page, 'presets-rename')
    await page.getByRole('textbox', { name: 'Name' }).fill('card')
    await page.keyboard.press('Enter')
    await page.getByRole('row', { name: /^card Trim → WebP, Resize/ }).waitFor()
    assert.equal(await page.getByRole('link', { name: 'shop-card' }).count(), 0)
    for (const name of ['other', 'card']) {
      await page.getByRole('button', { name: `Remove ${name}` }).click()
      await page.getByRole('button', { name: 'Remove the preset' }).click()
      await page.getByRole('row', { name: new RegExp(`^${name} `) }).waitFor({ state: 'hidden' })
    }
    await page.getByText('No preset yet').waitFor()
    assert.deepEqual(faults, [])
  })

  test('a batch changes the size of its pictures', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await atBatches(page)
    const sea = join(folder, 'sea')
    mkdirSync(sea)
    writeFileSync(join(sea, 'wave.jpg'), await photo(300, 200).jpeg().toBuffer())
    await dropOnto(page, [sea])
    await page.getByRole('heading', { name: '1 picture' }).waitFor()
    await page.getByLabel('Width').fill('120')
    await page.getByLabel('Height').fill('120')
    await page.getByRole('combobox', { name: 'Fit' }).selectOption({ label: 'Cover – fill, cut off' })
    await lookAt(page, 'batches-sized')
    await page.getByRole('button', { name: 'Start the batch' }).click()
    await page.getByRole('heading', { name: 'The picture is converted' }).waitFor()
    assert.match((await page.locator('pre').first().textContent()) ?? '', /--form-string 'recipe=\{"steps":/)
    await lookAt(page, 'batch-by-recipe')
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download', exact: true }).click()
    const files = await unzip(await readFile(await (await downloading).path()))
    const { width, height } = await sharp(files['sea/wave.webp']).metadata()
    assert.deepEqual([width, height], [120, 120])
    assert.deepEqual(faults, [])
  })
})
