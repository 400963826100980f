import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { rawRequest } from '../support/raw-get.ts'

/** Bytes of gzip that the first page may take, its document, scripts and styles together. */
const MOST = 60 * 1024

describe('budget', { skip: noBrowser }, () => {
  const { server, visit } = openDashboard()

  /** What a page has loaded of the dashboard, as gzip. */
  async function weigh(page: Page): Promise<number> {
    const loadedTexts = await page.evaluate<string[]>(`performance.getEntriesByType('resource').map(({ name }) => name)`)
    const files = [...new Set([page.url(), ...loadedTexts])].filter(
      (address) => address === page.url() || address.includes('/assets/'),
    )
    assert.ok(files.length > 3)
    const sizes = await Promise.all(
      files.map(async (address) => (await rawRequest(address, { 'accept-encoding': 'gzip' })).bytes.length),
    )
    return sizes.reduce((all, size) => all + size, 0)
  }

  test('the first page of a stranger, and that of who is signed in, take less than 60 KB of gzip', async (context) => {
    await using reader = await visit()
    const { page, faults } = reader
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    const stranger = await weigh(page)
    await signUp(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    const person = await weigh(page)
    context.diagnostic(`gzip: ${stranger} bytes for the sign-in, ${person} for the first page`)
    assert.ok(stranger < MOST && person < MOST, `${stranger} and ${person} bytes`)
    assert.deepEqual(faults, [])
  })

  test('nothing comes from anywhere else', async () => {
    await using reader = await visit()
    const askedTexts: string[] = []
    reader.page.on('request', (request) => askedTexts.push(new URL(request.url()).origin))
    await signUp(reader.page)
    assert.ok(askedTexts.length > 0)
    assert.deepEqual(
      [...new Set(askedTexts)].filter((origin) => origin !== server().url && origin !== 'null'),
      [],
    )
  })
})
