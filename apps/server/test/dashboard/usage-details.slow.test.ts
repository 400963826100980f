import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lookAt, noBrowser } from '../support/browser.ts'
import { busyMonth } from '../support/busy-month.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'

describe('usage, busy months', { skip: noBrowser }, () => {
  const { database, visit } = openDashboard()

  const query = (text: string, values: readonly unknown[]) => database().pool.query(text, [...values])

  async function accountOf(email: string): Promise<string> {
    return (await query('select id from account where email = $1', [email])).rows[0].id
  }

  const openUsage = async (page: Page) => {
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  }

  test('in a busy month the chart shows each day by keys and by pointer, and a table has the same numbers', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const email = await signUp(page)
    await busyMonth(database(), await accountOf(email))
    await openUsage(page)
    await page.getByText('of 50,000').waitFor()
    const day = page.getByRole('slider', { name: 'Day' })
    await lookAt(page, 'usage-busy')
    const { rows } = await query(
      `select to_char(day, 'FMDay, FMMonth FMDD') as name, sum(calls)::int as calls from usage_day
        where account_id = $1 group by day order by day`,
      [await accountOf(email)],
    )
    const toldTexts = rows.map(({ name, calls }) => `${name}: ${calls} calls`)
    await day.focus()
    await page.keyboard.press('Home')
    for (const each of toldTexts) {
      assert.equal(await day.getAttribute('aria-valuetext'), each)
      await page.keyboard.press('ArrowRight')
    }
    await page.keyboard.press('Home')
    await page.locator('.tip', { hasText: `${rows[0]?.calls} calls` }).waitFor()
    await page.keyboard.press('Escape')
    assert.equal(await page.locator('.tip').count(), 0)
    const box = (await page.locator('.chart .bar').first().boundingBox()) ?? assert.fail()
    await page.mouse.move(box.x + box.width / 2, box.y)
    await page.locator('.tip', { hasText: rows[0]?.name }).waitFor()
    await page.getByRole('radio', { name: 'Bytes saved' }).check({ force: true })
    const { rows: savedValues } = await query(
      `select sum(input_bytes - output_bytes)::bigint as bytes from usage_day
        where account_id = $1 and endpoint <> '/api/background-remove'`,
      [await accountOf(email)],
    )
    const inAll = `${(savedValues[0].bytes / 1e9).toFixed(2).replace(/\.?0+$/, '')} GB`
    await page
      .locator('section', { has: page.getByRole('heading', { name: 'Bytes saved' }) })
      .getByText(inAll)
      .waitFor()
    await page
      .getByRole('img', { name: new RegExp(`^Bytes saved by day in .*: ${inAll.replace(' ', '\\s')} saved, most on`) })
      .waitFor()
    assert.match((await day.getAttribute('aria-valuetext')) ?? '', /: [\d.]+\sMB (saved|added)$/)
    await lookAt(page, 'usage-saved')
    await page.getByRole('radio', { name: 'Calls', exact: true }).check({ force: true })
    await page.getByText('As a table').click()
    await page.getByRole('row', { name: new RegExp(`${rows[0]?.name} ${rows[0]?.calls} `) }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('a thousand calls by pages, failures alone, and what comes meanwhile on top of what was opened', async () => {
    await using reader = await visit('/', 'own')
    const { page, faults } = reader
    const account = await accountOf(await signUp(page))
    await busyMonth(database(), account)
    await page.clock.install()
    await openUsage(page)
    const rows = page.getByRole('region', { name: 'Latest calls' }).locator('tbody tr')
    await rows.nth(19).waitFor()
    await page.getByRole('button', { name: 'Show more' }).dblclick()
    await rows.nth(69).waitFor()
    assert.equal(await rows.count(), 70)
    await page.getByText('70 calls shown', { exact: true }).waitFor()

    await query(
      `insert into usage_event (id, account_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at)
       values (gen_random_uuid(), $1, '/api/v1/crop', 402, 'insufficient_credits', 5, 0, 1, clock_timestamp())`,
      [account],
    )
    await page.clock.runFor(10_000)
    await rows.first().getByText('Crop').waitFor()
    assert.equal(await rows.count(), 71)

    await page.getByRole('radio', { name: 'Only failures' }).check({ force: true })
    await page.getByText('20 calls shown', { exact: true }).waitFor()
    assert.equal(await rows.count(), 20)
    assert.equal(await rows.getByText('200', { exact: true }).count(), 0)
    await rows.first().getByRole('link', { name: 'insufficient_credits' }).waitFor()
    await lookAt(page, 'usage-failures')
    while (await page.getByRole('button', { name: 'Show more' }).isVisible()) {
      const before = await rows.count()
      await page.getByRole('button', { name: 'Show more' }).click()
      await rows.nth(before).waitFor()
    }
    const { rows: failedValues } = await query(
      'select count(*)::int as n from usage_event where account_id = $1 and status >= 400',
      [account],
    )
    assert.equal(await rows.count(), failedValues[0].n)
    assert.deepEqual(faults, [])
  })
})
