import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'

describe('API keys', { skip: noBrowser }, () => {
  const { server, visit } = openDashboard()

  test('a key is made, shown once, listed, and revoked after a question', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    await lookAt(page, 'keys-empty')

    const name = '<b>laptop</b>'
    await page.getByRole('button', { name: 'Make a key' }).click()
    await page.getByLabel('Name').fill(name)
    await lookAt(page, 'keys-make')
    await page.getByRole('button', { name: 'Make the key' }).click()
    const key = await page.getByRole('dialog', { name: 'Your new key' }).locator('pre code').textContent()
    assert.match(key ?? '', /^sk_[A-Za-z0-9]{48}$/)
    await lookAt(page, 'keys-made')
    // Neither Escape nor a click beside it loses what is shown once.
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await page.getByRole('button', { name: 'I have it' }).click()
    const row = page.getByRole('row', { name })
    await row.getByText(`sk_${key?.slice(3, 7)}…${key?.slice(-4)}`).waitFor()
    await lookAt(page, 'keys-list')

    const list = await fetch(`${server().url}/api/v2/usage`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(((await list.json()) as { statusMessage: string }).statusMessage, 'api_access_not_available')
    await row.getByRole('button', { name: `Revoke ${name}` }).click()
    await lookAt(page, 'keys-revoke')
    await page.getByRole('button', { name: 'Revoke the key' }).click()
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    await page.getByText(`The key “${name}” is revoked.`).waitFor()
    const goneResponse = await fetch(`${server().url}/api/v2/usage`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(((await goneResponse.json()) as { statusMessage: string }).statusMessage, 'invalid_or_revoked_api_key')
    assert.deepEqual(faults, [])
  })
})
