import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

const PHOTO = join(import.meta.dirname, '../../../../examples/photo.jpg')

describe('usage', { skip: noBrowser }, () => {
  const { visit } = openDashboard()

  const openUsage = async (page: Page) => {
    await page.getByRole('link', { name: 'Usage' }).click()
    await page.getByRole('heading', { name: 'Usage', level: 1 }).waitFor()
  }

  test('an empty month leads to the first page; the first call appears by itself, and the chart with it', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await openUsage(page)
    await page.getByRole('heading', { name: /^No call in \w+ \d{4} yet$/ }).waitFor()
    await page.getByText(/^50 left until .*, for trying on these pages/).waitFor()
    await lookAt(page, 'usage-empty')

    await page.getByRole('link', { name: 'Compress a picture' }).click()
    await page.getByRole('heading', { name: 'Drop pictures here' }).waitFor()
    await pick(page, PHOTO)
    await page.getByRole('link', { name: 'Download' }).waitFor()
    await openUsage(page)
    await page.getByRole('row', { name: /Convert just now, signed in 200/ }).waitFor()
    const chart = page.getByRole('img', { name: /Calls by day in .*: 1 call, most on .*, 1 call\./ })
    await chart.waitFor()
    assert.equal(await chart.locator('.bar').count(), 1)
    await lookAt(page, 'usage-one')
    assert.deepEqual(faults, [])
  })
})
