import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import type { Page } from 'playwright-core'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { listen } from '../support/listener.ts'
import { endBatch, startReceiver } from '../support/webhooks.ts'

const MODULES = join(import.meta.dirname, '../../../../node_modules')

describe('webhooks', { skip: noBrowser }, () => {
  const { server, database, visit } = openDashboard({ EGRESS_ALLOW: '127.0.0.1' })

  async function newcomer(page: Page): Promise<string> {
    const email = await signUp(page)
    const { rows } = await database().pool.query('select id from account where email = $1', [email])
    return rows[0].id
  }
  const open = (page: Page) => page.locator('.side').getByRole('link', { name: 'Webhooks' }).click()
  const inState = (page: Page, state: string) =>
    deliveries(page).filter({ has: page.locator('.badge').getByText(state, { exact: true }) })
  const deliveries = (page: Page) => page.getByRole('region', { name: 'Webhook deliveries' }).locator('tbody tr:not(.below)')

  test('the secret is hidden until it is asked for, and a new one signs beside the old', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await newcomer(page)
    await open(page)
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor()
    await lookAt(page, 'webhooks-empty')
    const secret = page.locator('.secret')
    assert.doesNotMatch((await secret.textContent()) ?? '', /whsec_[\w+/]/)
    await page.getByRole('button', { name: 'Show the secret' }).click()
    const first = (await secret.textContent()) ?? ''
    assert.match(first, /^whsec_[\w+/]{43}=$/)

    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await lookAt(page, 'webhooks-rotate')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Replace the secret' }).click()
    await page.getByRole('button', { name: 'Replace it' }).click()
    await page.getByText('ends in 24 hours').waitFor()
    const second = (await secret.textContent()) ?? ''
    assert.notEqual(second, first)
    await page.getByText('How to verify a webhook').click()
    await lookAt(page, 'webhooks-secret')
    assert.deepEqual(faults, [])
  })

  test('the lines of the page take what is sent, with the secret of the page', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const account = await newcomer(page)
    await open(page)
    await page.getByRole('button', { name: 'Show the secret' }).click()
    await page.getByText('How to verify a webhook').click()
    const lines = (await page.getByRole('region', { name: 'receiver in TypeScript' }).textContent()) ?? ''
    const secret = (await page.locator('.secret').textContent()) ?? ''

    const dir = await mkdtemp(join(tmpdir(), 'pixelmill-receiver-'))
    await symlink(MODULES, join(dir, 'node_modules'))
    await writeFile(join(dir, 'receiver.mts'), lines)
    // Nobody listens there any more: a port that is free.
    const free = await listen((_, response) => response.end())
    await free[Symbol.asyncDispose]()
    const env = { PATH: process.env.PATH, WEBHOOK_SECRET: secret, PORT: String(free.port) }
    const receiver = spawn(process.execPath, [join(dir, 'receiver.mts')], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let saidText = ''
    receiver.stdout.on('data', (chunk: Buffer) => (saidText += chunk.toString()))
    try {
      const url = `http://127.0.0.1:${free.port}/`
      assert.ok(
        await until(() =>
          fetch(url).then(
            ({ status }) => status === 401,
            () => false,
          ),
        ),
        'it listens, and refuses what is not signed',
      )
      const batch = await endBatch(database(), account, url)
      await page.reload()
      await deliveries(page).getByText('Delivered').waitFor()
      assert.match(saidText, new RegExp(`batch.completed[^]*${batch}`))
    } finally {
      receiver.kill()
      await once(receiver, 'close')
      await rm(dir, { recursive: true })
    }
    assert.deepEqual(faults, [])
  })

  test('each delivery tells its attempts, and one that was stopped is delivered again', async () => {
    let answer = 410
    await using receiver = await startReceiver((_, nth) => [204, 500, answer][Math.min(nth, 3) - 1])
    await using silent = await listen(() => {})
    await using reader = await visit()
    const { page, faults } = reader
    const account = await newcomer(page)
    const states = ['delivered', 'pending', 'stopped'] as const
    for (const state of states) {
      const failure = state === 'stopped' ? { code: 'batch_processing_timeout', message: 'It took too long.' } : null
      const batch = await endBatch(database(), account, `${receiver.url}/hooks?for=<b>${'a-long-name-'.repeat(20)}`, failure)
      const toldRefusal = async () =>
        (
          await database().pool.query('select status, attempts from webhook_delivery where batch_id = $1 and attempts = 1', [
            batch,
          ])
        ).rows[0]?.status === state
      assert.ok(await until(toldRefusal), state)
    }
    const {
      rows: [failedRow],
    } = await database().pool.query(
      `update webhook_delivery set status = 'failed', next_attempt_at = null where account_id = $1 and status = 'pending' returning id`,
      [account],
    )
    assert.ok(failedRow)
    await endBatch(database(), account, `${receiver.url.replace('127.0.0.1', '127.0.0.9')}/`)
    await endBatch(database(), account, silent.url)
    await open(page)
    await deliveries(page).nth(4).waitFor()
    for (const word of ['Delivered', 'Failed', 'Stopped', 'Will try again', 'Sending']) await inState(page, word).waitFor()
    const row = inState(page, 'Stopped')
    await row.getByRole('button', { name: /^1 attempt / }).click()
    await page.getByRole('list', { name: 'Attempts' }).getByText('410').waitFor()
    assert.ok(await inState(page, 'Sending').getByRole('button', { name: 'Deliver' }).isDisabled())
    await lookAt(page, 'webhooks-deliveries')

    answer = 204
    await row.getByRole('button', { name: 'Deliver again' }).dblclick()
    await page.getByText('The webhook is being sent again.').waitFor()
    await page.getByRole('list', { name: 'Attempts' }).getByText('204').waitFor()
    assert.equal(await inState(page, 'Delivered').count(), 2)
    assert.equal(receiver.received.length, 4, 'the second of two clicks did nothing')

    // Somebody else's list has no such row any more.
    await database().pool.query('delete from webhook_delivery where id = $1', [failedRow.id])
    reader.expectFailures('404')
    await inState(page, 'Failed').getByRole('button', { name: 'Deliver again' }).click()
    await page.getByText('no longer listed').waitFor()
    await until(async () => (await deliveries(page).count()) === 4)
    assert.equal(await deliveries(page).count(), 4)
    assert.deepEqual(faults, [])
  })

  test('a thousand are had page by page', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const account = await newcomer(page)
    await endBatch(database(), account, `${server().url}/`)
    await database().pool.query(
      `insert into webhook_delivery select (d).* from (
         select jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'batch_id', gen_random_uuid(), 'status', 'delivered', 'next_attempt_at', null, 'delivered_at', d.created_at,
                  'created_at', d.created_at - n * interval '7 minutes')) as d
           from webhook_delivery d, generate_series(1, 999) n where account_id = $1) many`,
      [account],
    )
    await open(page)
    // By text and selector: to find a role among thousands of elements takes longer than to draw them.
    const rows = page.locator('tbody tr')
    const more = page.getByText('Show more')
    await rows.nth(24).waitFor()
    const counts = [await rows.count()]
    while (await more.isVisible()) {
      await more.click()
      await rows.nth(Math.min(1_000, (counts.at(-1) ?? 0) + 100) - 1).waitFor()
      counts.push(await rows.count())
    }
    assert.deepEqual(counts, [25, 125, 225, 325, 425, 525, 625, 725, 825, 925, 1_000])
    assert.deepEqual(faults, [])
  })
})
