import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'

describe('reference, rarer cases', { skip: noBrowser }, () => {
  const { server, visit } = openDashboard()

  test('the lines are shown in the language that was chosen, here and on the next visit, and can be copied', async () => {
    await using reader = await visit('/docs')
    const { page, context, faults } = reader
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const section = page.locator('#deleteBatch')
    // The pointer waits until the sections around it have taken their own heights in place of the estimates.
    await section.getByRole('button', { name: 'TypeScript' }).hover()
    const before = await section.locator('.languages').boundingBox()
    await section.getByRole('button', { name: 'TypeScript' }).click()
    await section.getByRole('region', { name: 'TypeScript for deleteBatch' }).waitFor()
    const after = await section.locator('.languages').boundingBox()
    assert.ok(Math.abs((before?.y ?? 0) - (after?.y ?? 0)) < 2, 'what was clicked stays where it is')
    // A key that was given stands in the lines, for as long as the tab is open.
    const key = `sk_${'aB3'.repeat(16)}`
    await page.getByLabel('Your API key in the code').fill(key)
    await page.getByRole('button', { name: 'Fill it in' }).click()
    assert.match(
      (await page.getByRole('region', { name: 'TypeScript for deleteBatch' }).textContent()) ?? '',
      new RegExp(`Bearer ${key}`),
    )
    await page.getByRole('button', { name: 'Forget it' }).click()
    await section.getByRole('button', { name: 'Copy TypeScript for deleteBatch' }).click()
    await section.getByText('Copied').waitFor()
    const copiedText = await page.evaluate<string>('navigator.clipboard.readText()')
    assert.match(
      copiedText,
      /^const id = '…'\nconst response = await fetch\(`http:\/\/127\.0\.0\.1:\d+\/api\/v2\/batch\/\$\{id\}`/,
    )
    await page.reload()
    assert.ok(await page.getByRole('region', { name: 'TypeScript for convert' }).isVisible())
    assert.ok(await page.getByRole('region', { name: 'curl for convert' }).isHidden())
    assert.deepEqual(faults, [])
  })

  test('Python has the address of this server, without what only a variable needs, and fits on a small phone', async () => {
    await using reader = await visit('/docs')
    const { page, faults } = reader
    await page.setViewportSize({ width: 320, height: 640 })
    await page.locator('#healthz').getByRole('button', { name: 'Python' }).click()
    const lines = await page.getByRole('region', { name: 'Python for healthz' }).textContent()
    assert.ok(lines?.startsWith(`import requests\n\nresponse = requests.get("${server().url}/healthz")\n`), lines ?? '')
    const call = await page.getByRole('region', { name: 'Python for deleteBatch' }).textContent()
    assert.ok(call?.includes(`import os\n`) && call.includes(`f"${server().url}/api/v2/batch/{ID}"`), call ?? '')
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    const copy = await page.getByRole('button', { name: 'Copy Python for convert' }).boundingBox()
    assert.ok(copy && copy.x + copy.width <= 320, 'the buttons are within the page')
    assert.deepEqual(faults, [])
  })

  for (const width of [390, 1440])
    test(`sections that were not laid out take about their own height at ${width} px, and a link to one leads to it`, async () => {
      await using reader = await visit('/docs')
      const { page, faults } = reader
      await page.setViewportSize({ width, height: 844 })
      const heights = () =>
        page.evaluate<number[]>(`[...document.querySelectorAll('.found > section')].map((each) => each.offsetHeight)`)
      const estimates = await heights()
      await page.evaluate(`document.querySelector('#contents [href="#savePreset"]').click()`)
      assert.ok(((await page.locator('#savePreset').boundingBox())?.y ?? 844) < 100, 'its heading is at the top')
      await page.evaluate(
        `for (const each of document.querySelectorAll('.found > section')) each.style.contentVisibility = 'visible'`,
      )
      const ratios = (await heights()).map((height, at) => (estimates[at] ?? 0) / height)
      assert.ok(Math.min(...ratios) > 0.9 && Math.max(...ratios) < 2, ratios.join(' '))
      assert.deepEqual(faults, [])
    })

  test('on a phone the contents are behind a button, and go away when one of them was chosen', async () => {
    await using reader = await visit('/docs')
    const { page, faults } = reader
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    const menu = page.locator('#contents')
    await menu.getByRole('link', { name: 'Resize' }).waitFor()
    await page.keyboard.press('Escape')
    await menu.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await menu.getByRole('link', { name: 'Resize' }).click()
    await menu.waitFor({ state: 'hidden' })
    const top = await page.evaluate<number>(`document.querySelector('#resize').getBoundingClientRect().top`)
    assert.ok(top >= 0 && top < 200, `the section begins ${top} pixels below the top`)
    assert.deepEqual(faults, [])
  })

  test('everything is readable without scripts: all languages, and the menu of a phone', async () => {
    await using reader = await visit('/docs/errors')
    const context = await reader.context
      .browser()
      ?.newContext({ javaScriptEnabled: false, viewport: { width: 390, height: 844 } })
    const page = (await context?.newPage()) ?? assert.fail()
    await page.goto(`${server().url}/docs`)
    for (const language of ['curl', 'TypeScript', 'Python'])
      assert.ok(await page.getByRole('region', { name: `${language} for convert` }).isVisible())
    assert.equal(await page.getByRole('searchbox').count(), 0)
    await page.getByText('the address of the server from').waitFor()
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.locator('#contents').getByRole('link', { name: 'Errors' }).click()
    await page.getByRole('heading', { name: 'Errors', exact: true }).waitFor()
    await context?.close()
  })
})
