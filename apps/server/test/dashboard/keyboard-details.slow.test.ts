import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { hasFocus, tabTo } from '../support/keyboard.ts'

describe('keyboard, rarer cases', { skip: noBrowser }, () => {
  const { visit } = openDashboard()

  test('the menu of a phone opens and closes by keys, and the focus goes with it', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await tabTo(page, 'Menu')
    await page.keyboard.press('Enter')
    const menu = page.getByRole('dialog', { name: 'Menu' })
    await menu.waitFor()
    assert.ok(await page.evaluate(hasFocus('dialog')))
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'Menu')
    assert.deepEqual(faults, [])
  })

  test('letters outside of fields do nothing', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const looks = () => page.locator('body').innerHTML()
    let before = ''
    // What a page fetches may come after its heading.
    const atRest = async () => {
      await page.waitForTimeout(500)
      const earlier = before
      const now = await looks()
      before = now
      return earlier === now
    }
    assert.ok(await until(atRest))
    for (const key of 'abcdefghijklmnopqrstuvwxyz/?') await page.keyboard.press(key)
    assert.equal(await looks(), before)
    assert.deepEqual(faults, [])
  })
})
