import assert from 'node:assert/strict'
import { copyFile, mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { lookAt, noBrowser } from '../support/browser.ts'
import { busyMonth } from '../support/busy-month.ts'
import { openDashboard, openPlayground, pick, signUp } from '../support/dashboard.ts'
import { dropOnto } from '../support/drop.ts'
import { zipFile } from '../support/zip.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('playground, rarer cases', { skip: noBrowser }, () => {
  const { database, visit } = openDashboard()

  test('a part to crop is drawn anew, dragged by an edge, and keeps a ratio', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.goto(new URL('/playground?tool=crop', page.url()).href)
    await pick(page, PHOTO)
    const part = page.getByRole('group', { name: /^Part that is kept/ })
    await part.waitFor()
    const sheet = (await page.locator('.sheet').boundingBox()) ?? assert.fail('there is no place to draw')
    const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
      await page.mouse.move(...from)
      await page.mouse.down()
      await page.mouse.move(...to, { steps: 4 })
      await page.mouse.up()
    }
    await drag([sheet.x + 10, sheet.y + 10], [sheet.x + 60, sheet.y + 40])
    const shape = async () => {
      const { width, height } = (await part.boundingBox()) ?? assert.fail('there is no frame')
      return { width: Math.round(width), height: Math.round(height) }
    }
    const near = ({ width, height }: { width: number; height: number }, across: number, down: number) =>
      Math.abs(width - across) <= 3 && Math.abs(height - down) <= 3
    assert.ok(near(await shape(), 50, 30), JSON.stringify(await shape()))
    const box = (await part.boundingBox()) ?? assert.fail('there is no frame')
    await drag([box.x + box.width - 1, box.y + box.height / 2], [box.x + box.width + 39, box.y + box.height / 2])
    assert.ok(near(await shape(), 90, 30), JSON.stringify(await shape()))
    await page.getByRole('combobox', { name: 'Ratio' }).selectOption('1:1')
    const { width, height } = await shape()
    assert.ok(Math.abs(width - height) <= 2 && width > 80, `${width} × ${height}`)
    await lookAt(page, 'playground-crop-ratio')
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
    assert.equal(await left.inputValue(), '256')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Alt+ArrowRight')
    await page.keyboard.press('Shift+ArrowLeft')
    assert.deepEqual([await left.inputValue(), await page.getByLabel('Width').inputValue()], ['267', '502'])
    await page.keyboard.press('Escape')
    assert.deepEqual([await left.inputValue(), await page.getByLabel('Width').inputValue()], ['256', '512'])
    assert.deepEqual(faults, [])
  })

  test('a result that no longer fits the settings says so in the button', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    const quality = page.getByRole('slider', { name: 'Quality' })
    await quality.focus()
    await page.keyboard.press('ArrowRight')
    const again = page.getByRole('button', { name: 'Convert again', exact: true })
    await again.waitFor()
    await lookAt(page, 'playground-stale')
    await again.click()
    await page.getByRole('button', { name: 'Convert', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await quality.focus()
    await page.keyboard.press('ArrowRight')
    await again.waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('button', { name: 'Convert', exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('several pictures that are dropped at once, a folder or a ZIP offer a batch', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'pixelmill-several-'))
    const holiday = join(folder.path, 'holiday')
    await mkdir(holiday)
    for (const name of ['a.jpg', 'b.jpg', 'c.jpg']) await copyFile(PHOTO, join(holiday, name))
    const zip = join(folder.path, 'pictures.zip')
    await writeFile(zip, zipFile([{ name: 'a.jpg', data: await readFile(PHOTO) }]))
    await using reader = await visit()
    const { page, faults } = reader
    const email = await signUp(page)
    await openPlayground(page)
    const files = ['a.jpg', 'b.jpg', 'c.jpg'].map((name) => join(holiday, name))
    await dropOnto(page, files)
    await page
      .getByText(/^3 files came at once\. The first is open here; a batch converts them all\. Batches need credits/)
      .waitFor()
    await page.locator('.name', { hasText: 'a.jpg' }).waitFor()
    await page.getByRole('link', { name: 'Download' }).waitFor()
    await lookAt(page, 'playground-several')

    await database().pool.query(`update account set plan = 'team' where email = $1`, [email])
    await page.reload()
    await page.locator('input[type=file][aria-label=Picture]').setInputFiles(files)
    await page.getByRole('button', { name: 'Convert all in a batch' }).waitFor()
    await page.getByRole('button', { name: 'Close this offer' }).click()
    assert.equal(await page.getByText('came at once').count(), 0)
    await dropOnto(page, [zip])
    await page.getByText('pictures.zip is a ZIP').waitFor()
    await dropOnto(page, [holiday])
    await page.getByText('3 files came at once').waitFor()
    await page.getByRole('button', { name: 'Convert all in a batch' }).click()
    await page.getByRole('heading', { name: '3 pictures' }).waitFor()
    assert.equal(await page.getByLabel('Name').inputValue(), 'holiday')
    assert.deepEqual(faults, [])
  })

  test('a long name is cut before its end', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const name = `${'a very long name of a picture '.repeat(6)}.jpeg`
    await pick(page, { name, mimeType: 'image/jpeg', buffer: await readFile(PHOTO) })
    const shownLocator = page.locator('.file-name').first()
    await shownLocator.waitFor()
    assert.equal(await shownLocator.locator('.whole').textContent(), name)
    const [start, end, all] = await Promise.all(
      ['.start', '.end'].map((part) => shownLocator.locator(part).boundingBox()).concat(shownLocator.boundingBox()),
    )
    assert.ok(start && end && all && end.width > 60)
    assert.ok(end.x + end.width <= all.x + all.width + 1 && Math.abs(start.x + start.width - end.x) < 1)
    await lookAt(page, 'playground-long-name')
    assert.deepEqual(faults, [])
  })

  test('numbers and dates are those of the language of the browser', async () => {
    await using reader = await visit('/', 'own')
    const { page, context, faults } = reader
    const devtools = await context.newCDPSession(page)
    const userAgent = await page.evaluate<string>('navigator.userAgent')
    await devtools.send('Emulation.setUserAgentOverride', { userAgent, acceptLanguage: 'de-DE' })
    await page.reload()
    const email = await signUp(page)
    const { rows } = await database().pool.query<{ id: string }>('select id from account where email = $1', [email])
    await busyMonth(database(), rows[0]?.id ?? assert.fail())
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByText('of 50.000').waitFor()
    await page
      .getByRole('heading', { name: new Intl.DateTimeFormat('de', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format() })
      .waitFor()
    await page
      .getByText(/^\d,\d+\sGB$/)
      .first()
      .waitFor()
    assert.deepEqual(faults, [])
  })
})
