import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import type { Page } from 'playwright-core'
import { makeAccount } from '../support/accounts.ts'
import { lookAt, noBrowser, type Reader } from '../support/browser.ts'
import { caller } from '../support/call.ts'
import { openDashboard, signIn, signUp } from '../support/dashboard.ts'
import { startServer } from '../support/server.ts'

const SCRIPT = '<script>alert(1)</script>'
const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(3).slice(0, 100)

describe('administration', { skip: noBrowser }, () => {
  const { server, database, visit } = openDashboard({}, startServer)

  /** Somebody new who may administer, on the page of accounts. */
  async function administrator(section = 'users'): Promise<Reader & { readonly email: string }> {
    const reader = await visit()
    const email = await signUp(reader.page)
    await database().pool.query(`update account set role = 'admin' where email = $1`, [email])
    await reader.page.goto(`${server().url}/admin/${section}`)
    await reader.page.getByRole('heading', { name: 'Administration' }).waitFor()
    return { ...reader, email }
  }
  const open = async (page: Page, text: string) => {
    await page.getByLabel('Find an account').fill(text)
    const link = page.getByRole('rowheader').getByRole('link')
    await page.getByText('1 found').or(link).first().waitFor()
    await until(async () => (await link.count()) === 1)
    await link.click()
    await page.getByRole('heading', { name: 'Plan and role' }).waitFor()
  }
  const rowOf = async (id: string) =>
    (await database().pool.query('select plan, role, credits, disabled_at from account where id = $1', [id])).rows[0]

  test('150 accounts are listed page by page and found by a part of their names, whatever these are', async () => {
    await using reader = await administrator()
    const { page, faults } = reader
    await database().pool.query(
      `insert into account (email, name, password_hash, plan, role, credits, disabled_at, created_at)
       select 'person' || n || '@example.com',
              case n when 1 then $1 when 2 then $2 when 3 then '' else 'Person no. ' || n end, '-',
              (array['free', 'pro', 'team', 'enterprise'])[1 + n % 4], case when n % 40 = 5 then 'admin' else 'user' end,
              n * n * 97, case when n % 9 = 4 then now() end, now() - make_interval(hours => n)
         from generate_series(1, 150) as n`,
      [SCRIPT, LONG],
    )
    await page.reload()
    await page.getByText('50 accounts shown', { exact: true }).waitFor()
    await page.getByText(SCRIPT).waitFor()
    await lookAt(page, 'admin-users')
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('100 accounts shown', { exact: true }).waitFor()
    await page.getByLabel('Find an account').fill('<SCRIPT')
    await page.waitForURL('**/admin/users?query=*')
    assert.ok(await until(async () => (await page.getByRole('rowheader').count()) === 1))
    await page.getByLabel('Find an account').fill('nobody at all')
    await page.getByRole('heading', { name: 'No account found' }).waitFor()
    await lookAt(page, 'admin-users-none')
    await page.getByRole('button', { name: 'Show all accounts' }).click()
    await page.getByText('accounts shown').waitFor()
    assert.equal(await page.getByLabel('Find an account').inputValue(), '')
    await open(page, LONG)
    await lookAt(page, 'admin-user-long')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { name: 'Plan and role' }).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('an account is looked at, given a plan, a role and credits, and each change counts at once', async () => {
    await using reader = await administrator()
    const { page, faults } = reader
    const { id, key } = await makeAccount(database(), 'free')
    const { email } = (await database().pool.query('select email from account where id = $1', [id])).rows[0]
    await open(page, email)
    await page.getByText('signed in nowhere').waitFor()
    await lookAt(page, 'admin-user')
    assert.equal(await page.getByRole('button', { name: 'Save' }).isDisabled(), true)
    await page.getByLabel('Plan').selectOption('team')
    await page.getByLabel('Role').selectOption('admin')
    await page.getByRole('button', { name: 'Save' }).dblclick()
    await page.locator('.toast').getByText('is changed.').waitFor()
    await page.getByText('0 of 50,000').waitFor()
    assert.deepEqual([(await rowOf(id)).plan, (await rowOf(id)).role], ['team', 'admin'])
    const image = await solid(8, 8, '#123456').png().toBuffer()
    const { status } = await caller({ url: server().url, key }).post('convert', { format: 'png' }, { image })
    assert.equal(status, 200)

    await page.getByRole('button', { name: 'Grant credits' }).click()
    const window = page.getByRole('dialog', { name: 'Grant credits' })
    await window.getByLabel('Credits').fill('12345')
    await window.getByLabel('Note').fill('for the fair')
    await lookAt(page, 'admin-grant')
    await window.getByRole('button', { name: 'Grant 12,345' }).dblclick()
    await page.locator('.toast').getByText('has 12,345 credits now.').waitFor()
    await page.getByText('1 of 50,000').waitFor()
    assert.equal((await rowOf(id)).credits, 12_345)

    await page.getByRole('link', { name: 'Audit log' }).last().click()
    await page.waitForURL(`**/admin/audit?account=${id}`)
    await page.getByText('for the fair').waitFor()
    await page.getByText('free → team').waitFor()
    assert.equal(await page.getByRole('rowheader').count(), 3)
    await lookAt(page, 'admin-audit-one')
    assert.deepEqual(faults, [])
  })

  test('a forgotten password is set and shown once; a disabled account is told so where it sits', async () => {
    await using other = await visit()
    const email = await signUp(other.page, 'Grace Hopper')
    await using reader = await administrator()
    const { page, faults } = reader
    await open(page, email)
    await page.getByRole('button', { name: 'Set a password' }).click()
    await page.getByRole('button', { name: 'Set it' }).click()
    const shownText = await page.getByRole('dialog', { name: 'The new password' }).locator('pre code').textContent()
    assert.match(shownText ?? '', /^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/)
    await lookAt(page, 'admin-password')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'I have it' }).click()

    // Her session has ended: she is asked, and gets on with the new one.
    other.expectFailures('401')
    await other.page.getByRole('link', { name: 'API keys' }).click()
    await other.page
      .getByRole('dialog')
      .getByLabel('Password', { exact: true })
      .fill(shownText ?? '')
    await other.page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByRole('heading', { name: 'No key yet' }).waitFor()

    await page.getByRole('button', { name: 'Disable' }).click()
    await lookAt(page, 'admin-disable')
    await page.getByRole('button', { name: 'Disable it' }).click()
    await page.locator('.toast').getByText('Grace Hopper is disabled.').waitFor()
    await page.getByText('Disabled since').waitFor()
    await other.page.getByRole('link', { name: 'Usage' }).click()
    await other.page
      .getByRole('dialog')
      .getByLabel('Password', { exact: true })
      .fill(shownText ?? '')
    await other.page.getByRole('dialog').getByRole('button', { name: 'Sign in' }).click()
    await other.page.getByRole('dialog').getByRole('alert').waitFor()

    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByRole('button', { name: 'Enable it' }).click()
    await page.locator('.toast').getByText('Grace Hopper is enabled again.').waitFor()
    assert.deepEqual(faults, [])
  })

  test('an account is made for somebody, who signs in with the password that was shown', async () => {
    await using reader = await administrator()
    const { page, email } = reader
    reader.expectFailures('409')
    await page.getByRole('button', { name: 'Make an account' }).click()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Make the account' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByLabel('E-mail address').fill('katherine@example.com')
    await page.getByLabel('Name').fill('Katherine Johnson')
    await page.getByLabel('Plan').selectOption('pro')
    await lookAt(page, 'admin-make')
    await page.getByRole('button', { name: 'Make the account' }).click()
    const password = await page.getByRole('dialog', { name: 'The new password' }).locator('pre code').textContent()
    await page.getByRole('button', { name: 'I have it' }).click()
    await page.getByRole('link', { name: 'Katherine Johnson' }).waitFor()
    await using she = await visit()
    await signIn(she.page, 'katherine@example.com', password ?? '')
    await she.page.getByRole('heading', { name: 'Compress' }).waitFor()
    assert.deepEqual(reader.faults, [])
  })

  test('the last administrator stays one, in the words of the API; who steps down is warned, and out', async () => {
    await using reader = await administrator()
    const { page, email, faults } = reader
    reader.expectFailures('409')
    await database().pool.query(`update account set role = 'user' where email <> $1`, [email])
    await open(page, email)
    await page.getByLabel('Role').selectOption('user')
    await page.getByText('This is your own account').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await lookAt(page, 'admin-last')
    await page.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Disable my account' }).click()
    await page.getByRole('dialog', { name: 'Disable this account?' }).getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await makeAccount(database(), 'free')
    await database().pool.query(`update account set role = 'admin' where email like '%@localhost.local'`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Administration' }).waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('an account that is gone, a section that is none, and somebody who may not', async () => {
    await using reader = await administrator()
    const { page, faults } = reader
    reader.expectFailures('404')
    await page.goto(`${server().url}/admin/users?user=00000000-0000-4000-8000-000000000000`)
    await page.getByText('There is no such account.').waitFor()
    await page.keyboard.press('Escape')
    await page.goto(`${server().url}/admin/nonsense`)
    await page.getByText('There is no such section.').waitFor()
    await using stranger = await visit()
    await signUp(stranger.page)
    await stranger.page.goto(`${server().url}/admin/users`)
    await stranger.page.getByRole('heading', { name: 'Administration' }).waitFor({ state: 'detached' })
    assert.equal(await stranger.page.getByRole('link', { name: 'Administration' }).count(), 0)
    assert.deepEqual([...faults, ...stranger.faults], [])
  })

  test('the state of the system is told in words, and read anew by itself', async () => {
    await using reader = await administrator('system')
    const { page, faults } = reader
    await page.getByText('Everything works.').waitFor()
    await page.getByRole('region', { name: 'Renderers' }).getByText('Short work').waitFor()
    await page.getByText('Settings').last().click()
    await page.getByText('ADMIN_API_KEY').waitFor()
    assert.ok(!(await page.content()).includes(server().key))
    await lookAt(page, 'admin-system')
    const waiting = page.getByRole('region', { name: 'Webhooks' }).getByText('7', { exact: true })
    await database().pool.query(
      `insert into webhook_delivery (account_id, batch_id, event, url, facts, next_attempt_at, created_at)
       select (select id from account limit 1), gen_random_uuid(), 'batch.completed', 'http://127.0.0.1:9/', '{}',
              clock_timestamp() + interval '1 hour', clock_timestamp() - interval '3 hours' from generate_series(1, 7)`,
    )
    await waiting.waitFor({ timeout: 15_000 })
    assert.deepEqual(faults, [])
  })

  test('the audit log of many entries is read page by page', async () => {
    await using reader = await administrator('audit')
    const { page, faults } = reader
    await database().pool.query(
      `insert into audit_entry (actor_id, action, account_id, details, request_id, address)
       select id, 'api_key_made', id, jsonb_build_object('keyId', gen_random_uuid(), 'name', $1::text), 'req_' || n, '192.0.2.7'
         from account, generate_series(1, 1000) as n where email = $2`,
      [`${SCRIPT} ${LONG}`, reader.email],
    )
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByText('API key made').first().waitFor()
    await page.getByText('50 entries shown', { exact: true }).waitFor()
    await lookAt(page, 'admin-audit')
    await page.getByRole('button', { name: 'Show more' }).click()
    await page.getByText('100 entries shown', { exact: true }).waitFor()
    assert.deepEqual(faults, [])
  })
})
