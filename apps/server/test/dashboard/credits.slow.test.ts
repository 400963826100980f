import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { grant } from '../support/accounts.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { type FakeStripe, startFakeStripe } from '../support/fake-stripe.ts'
import { WEBHOOK_SECRET } from '../support/shop.ts'
import { completedEvent, deliver, neverPaid, refundEvent, type StripeEvent } from '../support/stripe-events.ts'

const openCredits = async (page: Page) => {
  await page.getByRole('link', { name: 'Credits' }).click()
  await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor()
}

const balance = (page: Page, text: string) => page.locator('.balance', { hasText: text }).waitFor()

describe('credits', { skip: noBrowser }, () => {
  let stripe: FakeStripe
  const { server, database, visit } = openDashboard(async (open) => {
    stripe = open.use(await startFakeStripe())
    return { STRIPE_SECRET_KEY: stripe.key, STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET, STRIPE_API_BASE: stripe.url }
  })

  const accountOf = async (email: string): Promise<string> =>
    (await database().pool.query('select id from account where email = $1', [email])).rows[0].id
  const newest = () => stripe.sessions.at(-1) ?? assert.fail('no session was made')
  const send = async (event: StripeEvent) => assert.equal((await deliver(server().url, event, WEBHOOK_SECRET)).status, 200)
  const buy = (page: Page) => page.getByRole('button', { name: 'Buy 1,000 credits for $9.00' })

  test('bought at Stripe: the page waits until the payment is booked; a refund appears by itself', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await openCredits(page)
    await balance(page, '0 credits')
    await lookAt(page, 'credits-none')

    const madeCount = stripe.sessions.length
    await buy(page).dblclick()
    await page.getByRole('heading', { name: 'Pay 900 usd' }).waitFor()
    assert.equal(stripe.sessions.length, madeCount + 1)
    await page.getByRole('link', { name: 'Pay' }).click()
    await page.getByText('Waiting for Stripe').waitFor()
    await lookAt(page, 'credits-waiting')
    await send(completedEvent(newest()))
    await page.getByText('Thank you. 1,000 credits are in your account.').waitFor()
    await balance(page, '1,000 credits')
    await page.getByRole('row', { name: /Bought the package “starter” for \$9\.00 .* \+1,000 1,000/ }).waitFor()
    await lookAt(page, 'credits-bought')
    await page.getByRole('button', { name: 'Close' }).click()
    assert.equal(new URL(page.url()).search, '')

    await database().pool.query(`select add_credits(account_id, 'call', -900, 'much') from purchase where id = $1`, [
      newest().client_reference_id,
    ])
    await send(refundEvent(newest(), 900))
    await page.getByRole('row', { name: /Taken back: the package “starter” was refunded .* −1,000 −900/ }).waitFor()
    await page.getByText('so the balance is below zero').waitFor()
    assert.deepEqual(faults, [])
  })

  test('left at Stripe, or paid in vain: said in words, and nothing is there', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await openCredits(page)
    await buy(page).click()
    await page.getByRole('link', { name: 'Back' }).click()
    await page.getByText('Nothing was bought, and nothing was charged.').waitFor()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Nothing was bought').waitFor({ state: 'detached' })

    // By the browser's own button, too: the page can be used again.
    await buy(page).click()
    await page.getByRole('heading', { name: 'Pay 900 usd' }).waitFor()
    await page.goBack()
    await buy(page).click()
    await page.getByRole('link', { name: 'Pay' }).click()
    await send(completedEvent(newest(), { payment_status: 'unpaid' }))
    await send(neverPaid(newest()))
    await page.getByText('The payment has failed').waitFor()
    await balance(page, '0 credits')
    assert.deepEqual(faults, [])
  })

  test('Stripe that does not answer is told beside the button, which can be pressed again', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    await signUp(page)
    await openCredits(page)
    expectFailures('502')
    stripe.fail(402)
    await buy(page).click()
    await page.getByRole('alert').getByText('The payment provider returned an error or did not answer.').waitFor()
    await lookAt(page, 'credits-refused')
    await buy(page).click()
    await page.getByRole('heading', { name: 'Pay 900 usd' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('five hundred movements by pages, and without the calls', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const account = await accountOf(await signUp(page))
    await grant(database(), account, 12_345)
    await database().pool.query(`select add_credits($1, 'call', -1 - n % 3, $2 || n) from generate_series(1, 499) n`, [
      account,
      `${account}/`,
    ])
    await database().pool.query('update account set reserved = 7 where id = $1', [account])
    await openCredits(page)
    await balance(page, '7 credits of them reserved by work in progress')
    const rows = page.locator('tbody tr')
    await rows.nth(19).waitFor()
    await lookAt(page, 'credits-many')
    while (await page.getByRole('button', { name: 'Show more' }).isVisible()) {
      const before = await rows.count()
      await page.getByRole('button', { name: 'Show more' }).click()
      await rows.nth(before).waitFor()
    }
    assert.equal(await rows.count(), 500)
    await page.getByRole('radio', { name: 'Without calls' }).check({ force: true })
    await page.getByRole('row', { name: /Granted by the administrator .* \+12,345 12,345/ }).waitFor()
    await rows.nth(1).waitFor({ state: 'detached' })
    assert.equal(await rows.count(), 1)
    assert.deepEqual(faults, [])
  })
})

describe('credits without Stripe', { skip: noBrowser }, () => {
  const { database, visit } = openDashboard()

  test('the page says that nothing is sold, and whom to ask; the administrator what to do', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    const email = await signUp(page)
    await openCredits(page)
    await page.getByText('Ask the administrator of this server').waitFor()
    assert.equal(await page.getByRole('button', { name: /^Buy/ }).count(), 0)
    await database().pool.query(`update account set role = 'admin' where email = $1`, [email])
    await page.reload()
    await page.getByText('the server has no key of Stripe').waitFor()
    await page.getByRole('link', { name: 'Give credits' }).waitFor()
    await lookAt(page, 'credits-not-sold')
    assert.deepEqual(faults, [])
  })
})
