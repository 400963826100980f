import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import type { Page } from 'playwright-core'
import { ApiError } from '../../src/contract/api-error.ts'
import { type ErrorName, errors } from '../../src/contract/errors.ts'
import { errorBody } from '../../src/http/error-reply.ts'
import { errorsOf } from '../../src/http/openapi-errors.ts'
import { triedAt } from '../../src/pages/playground-tools.ts'
import { documentedRoutes } from '../../src/routes.ts'
import { lookAt, noBrowser } from '../support/browser.ts'
import { openDashboard, pick, signUp } from '../support/dashboard.ts'

describe('reference', { skip: noBrowser }, () => {
  const { server, visit } = openDashboard()

  const foundSections = (page: Page) => page.locator('.found section:visible')

  test('every endpoint has its lines for this server, and a search by name finds its endpoints', async () => {
    await using reader = await visit('/docs')
    const { page, faults } = reader
    assert.equal(await foundSections(page).count(), documentedRoutes.length)
    const lines = page.getByRole('region', { name: 'curl for convert' })
    assert.ok((await lines.textContent())?.startsWith(`curl -f ${server().url}/api/v1/convert \\\n`))
    await page.setViewportSize({ width: 320, height: 640 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)

    await page.setViewportSize({ width: 1024, height: 768 })
    const box = page.getByRole('searchbox', { name: 'Search the documentation' })
    await box.fill('crop')
    assert.deepEqual(await foundSections(page).locator('h2').allTextContents(), ['Crop', 'Smart crop'])
    assert.equal(await page.locator('#found').textContent(), `2 of ${documentedRoutes.length}`)
    await lookAt(page, 'reference')
    // What nothing is called is looked for in what is said.
    await box.fill('EXIF orientation')
    assert.ok((await foundSections(page).locator('h2').allTextContents()).includes('Convert'))
    await box.fill('zebra stripes')
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor()
    await lookAt(page, 'reference-nothing')
    await page.getByRole('button', { name: 'Show all endpoints' }).click()
    assert.equal(await foundSections(page).count(), documentedRoutes.length)
    assert.equal(await page.evaluate('document.activeElement.id'), 'search')
    assert.deepEqual(faults, [])
  })

  test('the link of each error leads to its section, with the endpoints that answer it', async () => {
    await using reader = await visit('/docs/errors')
    const { page, faults } = reader
    for (const name of Object.keys(errors) as ErrorName[]) {
      const { pathname, hash } = new URL(errorBody(new ApiError(name), 'req_0').docs, server().url)
      assert.equal(pathname, '/docs/errors')
      assert.equal(await page.locator(`section${hash} h2`).textContent(), name)
    }
    await page.getByRole('searchbox').fill('rate_limited')
    const section = page.locator('#rate_limited')
    await section.getByText('Answered by').click()
    const answering = documentedRoutes.filter((route) => errorsOf(route).includes('rate_limited'))
    assert.equal(await section.getByRole('listitem').count(), answering.length)
    await lookAt(page, 'reference-errors')
    await section.getByRole('link', { name: 'Smart crop' }).click()
    await page.locator('.contents a[aria-current=location]', { hasText: 'Smart crop' }).waitFor()
    assert.deepEqual(faults, [])
  })

  test('each link to the playground opens the tool of its endpoint', async () => {
    await using reader = await visit('/')
    const { page, faults } = reader
    await signUp(page)
    await pick(page, { name: 'teal.png', mimeType: 'image/png', buffer: await solid(32, 24, 'teal').png().toBuffer() })
    await page.getByRole('tab', { name: 'Convert' }).waitFor()
    for (const { name } of documentedRoutes) {
      const address = triedAt(name)
      // A recipe is tried in the builder, which has no tabs of tools.
      if (address === undefined || name === 'makeImages') continue
      await page.evaluate(`history.pushState(null, '', '${address}'); dispatchEvent(new PopStateEvent('popstate'))`)
      const tab = page.getByRole('tab', { selected: true }).first()
      // These tools are called by what they do.
      const tool = new URL(address, 'http://localhost').searchParams.get('tool') ?? ''
      const label = new RegExp(name === 'makePreview' ? tool : name.replace(/([A-Z])/g, ' $1'), 'i')
      assert.ok(await until(async () => label.test((await tab.textContent()) ?? ''), 10_000), name)
    }
    assert.deepEqual(faults, [])
  })

  test('the search finds guides, which are pages in the same look', async () => {
    await using reader = await visit('/docs')
    const { page, faults } = reader
    // By task, and all guides below.
    await page.getByRole('link', { name: /^Responsive pictures/ }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('nginx')
    const foundLocator = page.locator('.elsewhere')
    await foundLocator.getByRole('heading', { name: /^In the guides: \d+$/ }).waitFor()
    assert.ok(await page.getByRole('heading', { name: 'Nothing found' }).isHidden())
    assert.equal(await foundLocator.locator('p mark').first().textContent(), 'nginx')
    await lookAt(page, 'reference-guides')
    await foundLocator.getByRole('link', { name: 'HTTPS: nginx' }).click()
    await page.getByRole('heading', { name: 'HTTPS', exact: true }).waitFor()
    assert.match(page.url(), /\/docs\/guides\/tls#nginx$/)
    assert.ok(await page.getByRole('button', { name: /^Copy nginx/ }).isVisible())
    await page.setViewportSize({ width: 320, height: 640 })
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 320)
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.getByRole('searchbox').fill('caddy')
    await until(async () => (await page.locator('.found section:visible').count()) === 1, 5_000)
    await page.getByRole('searchbox').fill('')
    await page.goto(`${server().url}/docs/guides/python`)
    await lookAt(page, 'guide')
    await page.getByRole('navigation', { name: 'Documentation' }).getByRole('link', { name: 'Guides' }).click()
    await page.getByRole('heading', { name: 'Guides', exact: true }).waitFor()
    await lookAt(page, 'guides')
    assert.deepEqual(faults, [])
  })
})
