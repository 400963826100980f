import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import type { Page } from 'playwright-core'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, PASSWORD } from '../support/dashboard.ts'
import { haltRenderers } from '../support/halted-renderers.ts'
import { startReceiver } from '../support/webhooks.ts'
import { zipFile } from '../support/zip.ts'
import { batchesPage } from './batches-page.ts'

const slow = async (count: number) => {
  const picture = await photo(1_200, 900).jpeg({ quality: 70 }).toBuffer()
  return Array.from({ length: count }, (_, nth) => ({ name: `${nth}.jpg`, mimeType: 'image/jpeg', buffer: picture }))
}

/** The addresses of what is posted from now on. */
function postsOf(page: Page): readonly string[] {
  const sentTexts: string[] = []
  page.on('request', (request) => void (request.method() === 'POST' && sentTexts.push(request.url())))
  return sentTexts
}

/** Batches of the last month in every state there is; the newest has a thousand files. */
const MANY_BATCHES = `
  insert into batch (id, account_id, key_id, format, quality, status, total, pending, succeeded, failed, created_at, started_at,
                     finished_at, expires_at, error_code, error_message)
  select gen_random_uuid(), a.id, a.id, (array['webp', 'avif', 'jpeg', 'png'])[1 + n % 4], case when n % 4 = 3 then 100 else 75 end,
         case when n = 1 then 'processing' when n = 2 then 'queued' when n % 7 = 0 then 'failed' else 'completed' end,
         case n % 3 when 0 then 1000 when 1 then 12 else 1 end, 0,
         case n % 3 when 0 then 997 when 1 then 11 else 0 end, case n % 3 when 0 then 3 else 0 end,
         at, at, case when n > 2 then at + interval '12 seconds' end, case when n > 2 then at + interval '1 day' end,
         case when n % 7 = 0 then 'invalid_image' end, case when n % 7 = 0 then 'None of the images could be converted.' end
    from account a, generate_series(0, 119) as n, lateral (select date_trunc('milliseconds', now()) - n * interval '5 hours' as at)
   where a.email = $1 and n > 0
  union all
  select gen_random_uuid(), a.id, a.id, 'webp', 75, 'completed', 1000, 0, 997, 3, at, at, at + interval '95 seconds',
         at + interval '1 day', null, null
    from account a, lateral (select date_trunc('milliseconds', now()) as at) where a.email = $1`
const MANY_FILES = `
  insert into batch_item (batch_id, seq, source, output, state, entry, input_bytes, output_bytes, width, height,
                          error_code, error_message)
  select b.id, n, format('archive/of 2026/a folder with a rather long name/picture %s with a name that goes on.jpeg', n),
         format('archive/of 2026/a folder with a rather long name/picture %s with a name that goes on.webp', n), case when n < 3 then 'failed' else 'converted' end, '{}', 4200000 + n * 777, 1000000 + n * 333, 4032, 3024,
         case when n < 3 then 'invalid_image' end, case when n < 3 then 'The image is damaged or cannot be read; send an intact file.' end
    from (select id from batch where account_id = (select id from account where email = $1) order by created_at desc limit 1) b,
         generate_series(0, 999) as n`

describe('batches, rarer cases', { skip: noBrowser }, () => {
  const { server, visit, database, endSessionsDuring } = openDashboard({
    RENDERERS: '1',
    EGRESS_ALLOW: '127.0.0.1',
    BATCH_ARCHIVE_MB: '8',
    BATCH_ENTRIES: '40',
  })

  const { plan, atBatches } = batchesPage(database)

  async function atManyBatches(page: Page): Promise<void> {
    const email = await atBatches(page)
    await database().pool.query(MANY_BATCHES, [email])
    await database().pool.query(MANY_FILES, [email])
    await page.reload()
  }

  test('a batch is cancelled at work, after a question, and another window of it shows that', async () => {
    await using reader = await visit()
    const { page, context, faults, expectFailures } = reader
    await atBatches(page)
    await page.getByLabel('Pictures or a ZIP', { exact: true }).setInputFiles(await slow(30))
    await page.locator('label', { hasText: 'AVIF' }).click()
    const sentTexts = postsOf(page)
    await page.getByRole('button', { name: 'Start the batch' }).dblclick()
    await page.getByRole('heading', { name: /^[1-9]\d* of 30 pictures done/ }).waitFor()
    // It has to be at work for as long as it is looked at.
    await using frozenRenderers = await haltRenderers(server().pid)
    await lookAt(page, 'batch-at-work')
    const other = await context.newPage()
    await other.goto(page.url())
    await other.getByRole('heading', { name: '30 pictures to AVIF' }).waitFor()

    await page.getByRole('button', { name: 'Cancel' }).click()
    await lookAt(page, 'batch-cancel')
    expectFailures('404')
    await page.getByRole('button', { name: 'Cancel the batch' }).click()
    await page.getByText('The batch is cancelled.').waitFor()
    await page.getByText('None yet').waitFor()
    await other.bringToFront()
    await other.getByRole('heading', { name: 'Batch not found' }).waitFor()
    await lookAt(other, 'batch-gone')
    const { rows } = await database().pool.query('select count(*)::int as open from reservation')
    assert.equal(rows[0].open, 0)
    assert.ok(frozenRenderers.count > 0)
    assert.equal(sentTexts.length, 1)
    assert.deepEqual(faults, [])
  })

  test('the page refuses what the server would refuse, before it sends anything', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const email = await atBatches(page)
    await lookAt(page, 'batches-empty')
    const sentTexts = postsOf(page)
    const start = page.getByRole('button', { name: 'Start the batch' })
    const take = (name: string, buffer: Buffer) =>
      page.getByLabel('Pictures or a ZIP', { exact: true }).setInputFiles({ name, mimeType: 'application/octet-stream', buffer })

    await take('large.zip', zipFile([{ name: 'a.png', data: Buffer.alloc(9 * 2 ** 20) }]))
    await page.getByText('one batch may have 8 MB').waitFor()
    assert.ok(await start.isDisabled())
    await lookAt(page, 'batches-too-large')
    await page.getByRole('button', { name: 'Start over' }).click()
    await take('texts.zip', zipFile([{ name: 'a.txt' }, { name: 'b.txt' }]))
    await page.getByText('This ZIP contains no pictures.').waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    await take('many.zip', zipFile(Array.from({ length: 41 }, (_, nth) => ({ name: `${nth}.png` }))))
    await page.getByText('These are 41 files; one batch may have 40.').waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()
    await take('broken.zip', Buffer.from('no ZIP at all'))
    await page.getByText('This ZIP cannot be read').waitFor()
    await lookAt(page, 'batches-broken')
    await take('notes.txt', Buffer.from('hello'))
    await page.getByText('None of these files is a picture').waitFor()
    await page.getByText('nothing to send').waitFor()
    await page.getByRole('button', { name: 'Start over' }).click()

    await plan(email, 'free')
    await database().pool.query(`select add_credits((select id from account where email = $1), 'grant', 2, 'a test')`, [email])
    await page.reload()
    const three = await slow(3)
    await page.getByLabel('Pictures or a ZIP', { exact: true }).setInputFiles(three)
    await page.getByText('2 credits are left. Send fewer.').waitFor()
    await page.getByRole('button', { name: 'Leave out 0.jpg' }).click()
    await page.getByLabel('Webhook address').fill('example.com')
    await page.getByText('begins with http').waitFor()
    await start.click()
    assert.deepEqual([sentTexts, await start.isEnabled()], [[], true])
    assert.deepEqual(faults, [])
  })

  test('a slow upload goes on while the user visits other pages, and can be cancelled; after the end of the session it waits for the sign-in', async () => {
    await using reader = await visit('/', 'own')
    const { page, context, faults, expectFailures } = reader
    const email = await atBatches(page)
    const start = page.getByRole('button', { name: 'Start the batch' })
    await page.getByLabel('Pictures or a ZIP', { exact: true }).setInputFiles(await slow(30))
    const network = await context.newCDPSession(page)
    const emulate = (uploadThroughput: number) =>
      network.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput })
    await network.send('Network.enable')
    await emulate(40_000)
    await start.click()
    await page.getByText(/kB of \d\.\d+\sMB/).waitFor()
    await lookAt(page, 'batches-sending')
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    await page.getByRole('link', { name: 'Batches' }).click()
    await page.getByText(/kB of \d\.\d+\sMB/).waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await start.waitFor()
    await page.getByText('None yet').waitFor()

    await emulate(-1)
    expectFailures('401')
    const sentTexts = postsOf(page)
    await endSessionsDuring(page, email, () => start.click())
    const dialog = page.getByRole('dialog', { name: 'Sign in again' })
    await dialog.waitFor()
    assert.deepEqual(sentTexts, [])
    await page.keyboard.type(PASSWORD)
    await dialog.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: '30 pictures to WebP' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('the page of a batch shows the delivery of its webhook, and the error about a refused address stands beside its field', async () => {
    await using receiver = await startReceiver()
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await atBatches(page)
    await page.getByLabel('Pictures or a ZIP', { exact: true }).setInputFiles(await slow(1))
    expectFailures('400')
    const address = page.getByLabel('Webhook address')
    const start = page.getByRole('button', { name: 'Start the batch' })
    await address.fill('http://10.0.0.1/')
    await start.click()
    await page.locator('input[type=url][aria-invalid=true]').waitFor()
    await lookAt(page, 'batches-webhook-refused')
    await address.fill(receiver.url)
    await page.locator('input[type=url][aria-invalid=true]').waitFor({ state: 'detached' })
    await start.click()
    await page.getByRole('region', { name: 'Webhook', exact: true }).getByText('Delivered').waitFor()
    await lookAt(page, 'batch-webhook')
    assert.equal(receiver.received.length, 1)
    assert.deepEqual(faults, [])
  })

  test('when the answer to an upload is lost, trying again makes no second batch', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    const email = await atBatches(page)
    await page.getByLabel('Pictures or a ZIP', { exact: true }).setInputFiles(await slow(1))
    expectFailures('ERR_FAILED')
    await page.route('**/api/v2/batch', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: 'Start the batch' }).click()
    await page.getByText('cannot be reached').waitFor()
    await page.unroute('**/api/v2/batch')
    await page.getByRole('button', { name: 'Start the batch' }).click()
    await page.getByRole('heading', { name: 'The picture is converted' }).waitFor()
    const madeText = 'select count(*)::int as made from batch where account_id = (select id from account where email = $1)'
    assert.equal((await database().pool.query(madeText, [email])).rows[0].made, 1)
    assert.deepEqual(faults, [])
  })

  test('a long list goes on page by page', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await atManyBatches(page)
    await page.getByText('50 batches shown', { exact: true }).waitFor()
    await lookAt(page, 'batches-list')
    // Some batches are at work: the list is refreshed before the next page arrives.
    const isRefresh = (url: string) => /\/api\/user\/batches\?(?!.*cursor=)/.test(url)
    await page.route(
      /\/api\/user\/batches\?.*cursor=/,
      async (route) => {
        await page.waitForResponse((response) => isRefresh(response.url()))
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('100 batches shown', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('batches shown').waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('rowheader').count(), 120)
    assert.deepEqual(faults, [])
  })

  test('a batch of a thousand files goes on page by page', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await atManyBatches(page)
    // The rows have no files: a sign stands in place of each small picture.
    reader.expectFailures('410')
    await page.getByRole('link', { name: '1,000 pictures to WebP' }).first().click()
    await page.getByRole('tab', { name: 'Converted 997' }).click()
    await page.getByText('50 files shown', { exact: true }).waitFor()
    await lookAt(page, 'batch-converted')
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('100 files shown', { exact: true }).waitFor()
    assert.equal(await page.getByRole('rowheader').count(), 100)
    assert.deepEqual(faults, [])
  })
})
