import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noBrowser, openBrowser } from 'pixelmill-server/test/support/browser'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { startOwnServer } from './conformance/server.ts'

/** `node lab/dashboard-picture.ts`: draws docs/images/dashboard.png, the page Compress with two pictures. */

const FILE = join(import.meta.dirname, '../docs/images/dashboard.png')
const PICTURES = ['photo.jpg', 'coffee.jpg'].map((name) => join(import.meta.dirname, '../examples', name))
const SCREEN = { width: 1280, height: 800 }
/** A palette keeps letters sharp in a tenth of the bytes; most of them are for the photograph's gradients. */
const PNG = { palette: true, colours: 96, effort: 10, compressionLevel: 9 } as const

async function compressSomething(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Make an account' }).click()
  await page.getByLabel('E-mail address').fill('ada@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByLabel('Name').fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Make an account' }).click()
  await page.getByRole('button', { name: 'Hide the first steps' }).click()
  await page.locator('input[type=file]').first().setInputFiles(PICTURES)
  await page.getByText('2 of 2 pictures done').waitFor()
}

if (noBrowser) throw new Error(`The picture cannot be drawn: ${noBrowser}.`)
await using server = await startOwnServer({})
const browser = await openBrowser()
try {
  const page = await browser.newPage({ viewport: SCREEN, colorScheme: 'light', reducedMotion: 'reduce' })
  await page.goto(server.url)
  await compressSomething(page)
  const bytes = await sharp(await page.screenshot())
    .png(PNG)
    .toBuffer()
  await writeFile(FILE, bytes)
  console.log(`${FILE}: ${bytes.length} bytes`)
} finally {
  await browser.close()
}
