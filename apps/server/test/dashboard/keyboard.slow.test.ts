import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import type { Page } from 'playwright-core'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, signUp } from '../support/dashboard.ts'
import { hasFocus, tabTo } from '../support/keyboard.ts'

describe('keyboard and screen reader', { skip: noBrowser }, () => {
  const { visit } = openDashboard()

  const entries = (page: Page) =>
    page.evaluate<string[]>(`[...document.querySelectorAll('.side nav a')].map((link) => link.getAttribute('href'))`)

  test('the first Tab leads past the navigation', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.reload()
    await page.getByRole('heading', { name: 'Compress' }).waitFor()
    await page.keyboard.press('Tab')
    const skip = `(document.activeElement.className.includes('skip') && document.activeElement.getBoundingClientRect().top >= 0)`
    assert.ok(await page.evaluate(skip), 'the link is in sight as soon as it has the focus')
    await page.keyboard.press('Enter')
    assert.ok(await page.evaluate('document.activeElement === document.querySelector("main")'))
    await page.keyboard.press('Tab')
    assert.ok(await page.evaluate(hasFocus('main')))
    assert.deepEqual(faults, [])
  })

  test('every page has its own title, one heading that takes the focus, and landmarks', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    const titles = new Set<string>()
    const addresses = (await entries(page)).filter((address) => address !== '/docs')
    assert.ok(addresses.length > 7)
    for (const address of [...addresses.slice(1), addresses[0] ?? '']) {
      await page.locator(`.side nav a[href="${address}"]`).click()
      const isThere = `location.pathname === '${address}' && document.activeElement.tagName === 'H1'`
      assert.ok(await until(() => page.evaluate<boolean>(isThere), 10_000), address)
      assert.equal(await page.locator('h1').count(), 1, address)
      assert.equal(await page.locator('.side nav a[aria-current=page]').getAttribute('href'), address)
      assert.equal(await page.getByRole('main').count(), 1, address)
      titles.add(await page.title())
      assert.equal(await page.evaluate('document.documentElement.lang'), 'en')
    }
    assert.equal(titles.size, addresses.length, [...titles].join(', '))
    assert.deepEqual(faults, [])
  })

  test('the Tab key leads from the address to the password, and from there to the button that shows it', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await page.getByLabel('E-mail address').click()
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.autocomplete'), 'current-password')
    await page.keyboard.press('Tab')
    assert.equal(await page.evaluate('document.activeElement.type'), 'button')
    await page.keyboard.press('Enter')
    assert.equal(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
    assert.deepEqual(faults, [])
  })

  test('a window takes the focus, keeps it, and gives it back', async () => {
    await using reader = await visit()
    const { page, faults } = reader
    await signUp(page)
    await page.locator('.side').getByRole('link', { name: 'API keys' }).click()
    await page.getByRole('heading', { name: 'No key yet' }).waitFor()
    await tabTo(page, 'Make a key')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    assert.equal(await page.evaluate('document.activeElement.labels?.[0]?.textContent'), 'Name')
    for (let stop = 0; stop < 8; stop++) {
      // Between its last and its first control the browser itself has a turn.
      assert.ok(await page.evaluate(`document.activeElement === document.body || ${hasFocus('dialog')}`), `stop ${stop}`)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    assert.match(await page.evaluate<string>('document.activeElement.textContent'), /Make a key/)

    // The search finds tools by what people type, and guides; what was chosen is there again.
    await page.keyboard.press('Control+k')
    const search = page.getByRole('combobox', { name: /^Search/ })
    await search.fill('nextjs')
    await page.getByRole('option', { name: /^Frameworks/ }).waitFor()
    await search.fill('exif')
    const options = page.getByRole('option', { selected: true })
    assert.match((await options.textContent()) ?? '', /Inspect/)
    await lookAt(page, 'search')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Inspect' }).waitFor()
    await page.keyboard.press('Control+k')
    await page
      .getByRole('group', { name: 'Recent' })
      .getByRole('option', { name: /^Inspect/ })
      .waitFor()
    await page.keyboard.press('Escape')
    await search.waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  test('screen readers read failures, results and progress', async () => {
    await using reader = await visit()
    const { page, faults, expectFailures } = reader
    expectFailures('401')
    await page.getByLabel('E-mail address').fill('nobody@example.com')
    await page.getByLabel('Password', { exact: true }).fill('wrong horse')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await signUp(page)
    assert.ok((await page.locator('[role=status], [aria-live]').count()) > 0, 'there is where toasts are read from')
    assert.deepEqual(faults, [])
  })
})
