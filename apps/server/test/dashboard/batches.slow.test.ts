import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { inspect, unpack } from '../support/archives.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { dropOnto } from '../support/drop.ts'
import { batchesPage } from './batches-page.ts'

const SCRIPT = '<img src=x onerror=alert(1)>'
const folder = mkdtempSync(join(tmpdir(), 'dropped-'))
after(() => rmSync(folder, { recursive: true }))

/** Ten pictures, a damaged one and a text. */
async function makeHoliday(): Promise<string> {
  const holiday = join(folder, 'holiday')
  mkdirSync(join(holiday, 'sea'), { recursive: true })
  const picture = await photo(300, 200).jpeg().toBuffer()
  for (let nth = 1; nth <= 8; nth++) writeFileSync(join(holiday, `${nth}.jpg`), picture)
  writeFileSync(join(holiday, 'sea', `${SCRIPT}.png`), await photo(200, 100).png().toBuffer())
  writeFileSync(join(holiday, 'sea', 'waves ü'), picture)
  writeFileSync(join(holiday, 'damaged.jpg'), picture.subarray(0, 400))
  writeFileSync(join(holiday, 'notes.txt'), 'not for converting')
  return holiday
}

describe('batches', { skip: noBrowser }, () => {
  const { visit, database } = openDashboard({ RENDERERS: '1' })

  const { atBatches } = batchesPage(database)

  test('a folder of 12 files is dropped, converted and downloaded, with lists of failed and of omitted files', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await atBatches(page)
    await page.getByText('None yet').waitFor()
    await dropOnto(page, [await makeHoliday()])
    await page.getByRole('heading', { name: '11 pictures' }).waitFor()
    const left = page.getByText('1 file is left out')
    await left.click()
    await page.getByText('holiday/notes.txt').waitFor()
    await page.getByText(`holiday/sea/${SCRIPT}.png`).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'holiday', 'it is called after its folder')
    await page.getByLabel('Name').fill('Été 2026')
    await lookAt(page, 'batches-new')

    await page.getByRole('button', { name: 'Start the batch' }).click()
    await page.getByRole('heading', { name: 'Été 2026', level: 1 }).waitFor()
    await page.getByRole('heading', { name: '10 of 11 pictures converted' }).waitFor()
    await page.getByRole('row', { name: 'holiday/damaged.jpg' }).getByRole('link', { name: 'invalid_image' }).waitFor()
    await lookAt(page, 'batch-completed')
    await page.getByRole('tab', { name: 'Converted 10' }).click()
    await page.getByRole('row', { name: `holiday/sea/${SCRIPT}.png` }).waitFor()
    // One of them, beside its original, and alone.
    await page.getByRole('button', { name: 'Look at holiday/1.webp' }).click()
    await page.getByRole('dialog').getByRole('img', { name: 'Original' }).waitFor()
    await lookAt(page, 'batch-entry')
    const [single] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('dialog').getByRole('link', { name: 'Download' }).click(),
    ])
    assert.equal(single.suggestedFilename(), '1.webp')
    await page.keyboard.press('Escape')

    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download', exact: true }).click()
    const download = await downloading
    assert.equal(download.suggestedFilename(), 'Été 2026.zip')
    const archive = await readFile(await download.path())
    const entries = await inspect(archive)
    assert.equal(entries.length, 11)
    const waves = entries.findIndex(({ path }) => path === 'holiday/sea/waves ü.webp')
    const { format, width, height } = await sharp(await unpack(archive, waves)).metadata()
    assert.deepEqual([format, width, height], ['webp', 300, 200])

    await page.getByRole('link', { name: 'Batches' }).click()
    const row = page.getByRole('row', { name: 'Été 2026' })
    await row.getByText('11 pictures to WebP, quality 75 · 1 failed').waitFor()
    assert.deepEqual(faults, [])
  })

  test('without plan and credits the page says so before anything is chosen', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.getByRole('link', { name: 'Batches' }).click()
    await page.getByRole('heading', { name: 'Batches need credits' }).waitFor()
    await lookAt(page, 'batches-no-access')
    assert.equal(await page.getByRole('link', { name: 'Get credits' }).getAttribute('href'), '/credits')
    assert.deepEqual(faults, [])
  })
})
