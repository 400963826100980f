import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import type { Page } from 'playwright-core'
import { makeLogin } from '../support/accounts.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, PASSWORD, signUp } from '../support/dashboard.ts'
import { type FakeVision, says, startFakeVision } from '../support/fake-vision.ts'
import { send } from '../support/json-call.ts'

const KEY = 'sk-browser-0123456789abcdef'
const seeing = says(JSON.stringify({ saw: 'a red square' }))
const blind = says(JSON.stringify({ saw: 'A dog on a <b>sofa</b>' }))

describe('the AI model', { skip: noBrowser }, () => {
  let model: FakeVision
  before(async () => {
    model = await startFakeVision({ seeing, other: seeing, blind })
  })
  after(() => model[Symbol.asyncDispose]())
  const saving = { AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only', EGRESS_ALLOW: '127.0.0.1' }
  const platform = { AI_BASE_URL: 'http://127.0.0.1:9/v1', AI_MODEL: 'qwen2.5vl:7b', AI_TIMEOUT_S: '30' }
  const { server, database, visit, endSessionsDuring } = openDashboard({ ...saving, ...platform })

  async function newcomer(page: Page) {
    const email = await signUp(page)
    const { rows } = await database().pool.query('select id from account where email = $1', [email])
    const id: string = rows[0].id
    return { id, email, token: await makeLogin(database(), id) }
  }
  const open = (page: Page) => page.locator('.side').getByRole('link', { name: 'AI model' }).click()
  const own = (page: Page) => page.getByRole('region', { name: 'A model of your own' })
  const button = (page: Page, name: string) => own(page).getByRole('button', { name, exact: true })
  async function fill(page: Page, name: string) {
    await own(page).getByLabel('Address').fill(model.url)
    await own(page).getByLabel('Model', { exact: true }).fill(name)
    await own(page).getByLabel('API key').fill(KEY)
  }

  test('a model is tested, saved with its key hidden, changed without it, and removed after a question', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const { id, token } = await newcomer(page)
    await open(page)
    await page.getByText('Not in your plan').waitFor()
    await lookAt(page, 'ai-new')

    await fill(page, 'seeing')
    assert.equal(await own(page).getByLabel('Server').inputValue(), 'other', 'the server follows the address')
    await button(page, 'Test').click()
    await page.getByText('It works.').waitFor()
    await button(page, 'Save').dblclick()
    await own(page).getByText('sk-bro********cdef').waitFor()
    await button(page, 'Test').click()
    await page.getByText('It works.').waitFor()
    await lookAt(page, 'ai-saved')
    assert.ok(!(await page.content()).includes(KEY))
    assert.deepEqual([...new Set(model.requests.map(({ headers }) => headers.authorization))], [`Bearer ${KEY}`])

    await button(page, 'Change').click()
    await own(page).getByLabel('Model', { exact: true }).fill('other')
    await lookAt(page, 'ai-change')
    await button(page, 'Save').click()
    await own(page).getByText('other', { exact: true }).waitFor()
    const { body } = await send(server().url, 'GET /api/user/ai-key', { token })
    assert.deepEqual([body.model, body.apiKey], ['other', 'sk-bro********cdef'])

    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /Test/, 'the focus is not lost')
    await database().pool.query(`update ai_key set encrypted = 'v1.1.a.b.c' where account_id = $1`, [id])
    reader.expectFailures('403')
    await button(page, 'Test').click()
    await page.getByText('can no longer be read').waitFor()

    await button(page, 'Remove').click()
    await page.getByRole('button', { name: 'Remove the model' }).click()
    await own(page).getByLabel('API key').waitFor()
    assert.equal((await send(server().url, 'GET /api/user/ai-key', { token })).status, 404)
    assert.deepEqual(faults, [])
  })

  test('a session that ends while a model is typed in takes nothing of it away', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const { email } = await newcomer(page)
    await open(page)
    await fill(page, 'seeing')
    reader.expectFailures('401')
    await endSessionsDuring(page, email, () => button(page, 'Save').click())
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await own(page).getByText('sk-bro********cdef').waitFor()
    assert.deepEqual(faults, [])
  })

  test('what is wrong is told with what to do, a field has its fault beside it, and a model that hangs can be stopped', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await newcomer(page)
    await open(page)
    for (const [name, saidText] of [
      ['401', 'Copy the whole key again'],
      ['404', 'Compare the name of the model'],
      ['blind', 'may not see'],
      ['html', 'most end in /v1'],
    ] as const) {
      await fill(page, name)
      await button(page, 'Test').click()
      await own(page).getByText(saidText).waitFor()
    }
    await own(page).getByLabel('Model', { exact: true }).fill('blind')
    await button(page, 'Test').click()
    await own(page).getByText('A dog on a <b>sofa</b>').waitFor()
    await lookAt(page, 'ai-blind')

    await own(page).getByLabel('Model', { exact: true }).fill('silent')
    assert.equal(await own(page).getByText('may not see').count(), 0, 'what was found out is of what was there')
    await button(page, 'Test').click()
    await page.getByText('Showing it a picture').waitFor()
    assert.ok(await until(async () => model.requests.at(-1)?.asked.model === 'silent'), 'it was asked')
    await button(page, 'Stop').click()
    await page.getByText('Showing it a picture').waitFor({ state: 'detached' })

    reader.expectFailures('400')
    await own(page).getByLabel('Address').fill('http://10.0.0.7/v1')
    for (const name of ['Test', 'Save']) {
      await button(page, name).click()
      await own(page).getByText('adding 10.0.0.7:80 to EGRESS_ALLOW').waitFor()
      assert.equal(await own(page).getByLabel('Address').getAttribute('aria-invalid'), 'true')
    }
    await lookAt(page, 'ai-refused')
    assert.deepEqual(faults, [])
  })

  test('with a plan the server’s model is told with the images of the day; what another window removed is told', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const { id, token } = await newcomer(page)
    await database().pool.query(`update account set plan = 'team' where id = $1`, [id])
    const body = { baseUrl: model.url, model: `vendor/${'long-'.repeat(30)}name`, apiKey: KEY }
    assert.equal((await send(server().url, 'PUT /api/user/ai-key', { token, body })).status, 200)
    await open(page)
    await page.getByRole('meter', { name: 'Images today' }).waitFor()
    await page.getByText('In your plan').waitFor()
    await lookAt(page, 'ai-plan')

    await send(server().url, 'DELETE /api/user/ai-key', { token })
    reader.expectFailures('404')
    await button(page, 'Remove').click()
    await page.getByRole('button', { name: 'Remove the model' }).click()
    await page.getByText('removed already').waitFor()
    await own(page).getByLabel('API key').waitFor()
    assert.deepEqual(faults, [])
  })
})
