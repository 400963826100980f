import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { openServerDatabase } from '../support/accounts.ts'
import { lookAt, noBrowser, openBrowser, readAt } from '../support/browser.ts'
import { signUp } from '../support/dashboard.ts'
import { type HaltedRenderers, haltRenderers } from '../support/halted-renderers.ts'
import { type Server, startServer } from '../support/server.ts'

const DATA_DIR = mkdtempSync(join(tmpdir(), 'batch-restart-'))
after(() => rmSync(DATA_DIR, { recursive: true, force: true }))

async function giveTeam(server: Server, email: string): Promise<void> {
  const database = await openServerDatabase(server.dir)
  await database.pool.query(`update account set plan = 'team' where email = $1`, [email])
  await database.close()
}

/** Lets the renderers stand still once a picture is done, so that the page sees the batch at work however long it takes to look. */
async function haltMidway(server: Server): Promise<HaltedRenderers> {
  const database = await openServerDatabase(server.dir)
  const isBegun = async () => (await database.pool.query(`select from batch_item where state = 'converted'`)).rowCount !== 0
  const isBegunValue = await until(isBegun, 60_000)
  await database.close()
  assert.ok(isBegunValue)
  return haltRenderers(server.pid)
}

test('the server is killed and started again: the page says so, and follows the batch to its end', {
  skip: noBrowser,
}, async () => {
  await using first = await startServer({ DATA_DIR, RENDERERS: '1' })
  await using open = new AsyncDisposableStack()
  const browser = open.adopt(await openBrowser(), (each) => each.close())
  const { page, faults, expectFailures } = open.use(await readAt(browser, first.url))
  await giveTeam(first, await signUp(page))
  await page.getByRole('link', { name: 'Batches' }).click()
  const buffer = await photo(1_200, 900).jpeg({ quality: 70 }).toBuffer()
  const pictures = Array.from({ length: 20 }, (_, nth) => ({ name: `${nth}.jpg`, mimeType: 'image/jpeg', buffer }))
  await page.getByLabel('Pictures or a ZIP', { exact: true }).setInputFiles(pictures)
  await page.locator('label', { hasText: 'AVIF' }).click()
  await page.getByRole('button', { name: 'Start the batch' }).click()
  open.use(await haltMidway(first))
  await page.getByRole('heading', { name: /^[1-9]\d* of 20 pictures done/ }).waitFor()

  for (const broken of ['ERR_CONNECTION_REFUSED', 'ERR_CONNECTION_RESET', 'ERR_INCOMPLETE_CHUNKED_ENCODING'])
    expectFailures(broken)
  await first.stop('SIGKILL')
  await page.getByText('cannot be reached').first().waitFor()
  await lookAt(page, 'batch-server-away')
  const second = await startServer({ DATA_DIR, RENDERERS: '1', PORT: new URL(first.url).port, ADMIN_API_KEY: first.key })
  open.use(second)
  await page.getByText('cannot be reached').first().waitFor({ state: 'detached' })
  await page.getByRole('heading', { name: 'All 20 pictures converted' }).waitFor({ timeout: 120_000 })
  await page.getByRole('link', { name: 'Download', exact: true }).waitFor()
  assert.deepEqual(faults, [])
})
