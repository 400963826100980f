import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { deliverySource } from '../../../test/support/delivery-source.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { cloudinaryDialect } from '../cloudinary/dialect.ts'
import type { SourceDialect } from '../dialects/dialect.ts'
import { imgixDialect } from '../imgix/dialect.ts'
import type { RunTask } from '../preparation.ts'

/** Addresses of public code, with other paths: most are answered, and each that is not says which parameter is missing. */

const source = (baseUrl: string) => deliverySource('shop', { type: 'web', baseUrl })
const access = { secrets: new Map(), openSources: ['shop'] }
const preset = recipeSchema.parse({ outputs: [{ steps: [{ resize: { width: 300 } }] }] })

/** The renderer says that the original has 4,000 × 3,000 pixels, without a border. */
const run = (async () => ({
  report: { left: 0, top: 0, width: 4_000, height: 3_000, orientation: 1, frames: 1 },
  files: [],
})) as unknown as RunTask
const noFiles = async () => assert.fail('no file of these addresses is there')

/** Undefined for an address that is answered, else what is said of it. */
async function refusalOf(dialect: SourceDialect, url: string, baseUrl: string): Promise<string | undefined> {
  try {
    const order = await dialect.read(url, source(baseUrl), async () => preset)
    await order.prepare?.(Buffer.alloc(0), run, noFiles)
    return undefined
  } catch (error) {
    assert.ok(isRefusal(error) && error.code === 'invalid_params', `${url}: ${String(error)}`)
    return error.message
  }
}

const tables: readonly (readonly [file: string, dialect: SourceDialect, address: (text: string) => string])[] = [
  ['imgix-addresses.json', imgixDialect(access), (text) => `/imgix/shop/a.jpg?${text}`],
  ['cloudinary-addresses.json', cloudinaryDialect(access), (text) => `/shop/image/${text}`],
]
for (const [file, dialect, addressOf] of tables)
  test(`at least 80 % of the addresses are answered, and each other names its parameter: ${file}`, async (context) => {
    const texts = JSON.parse(await readFile(new URL(file, import.meta.url), 'utf8')) as readonly string[]
    assert.ok(new Set(texts).size >= 100)
    const refusals: string[] = []
    for (const text of texts) {
      const baseUrl = text.includes('http://') ? 'http://example.com/' : 'https://example.com/'
      const message = await refusalOf(dialect, addressOf(text), baseUrl)
      if (message === undefined) continue
      const [, name = '', value = ''] = /^([^:]+): (?:"([^"]*)")?/.exec(message) ?? []
      assert.ok(name !== '' && text.includes(name.replace(/_.*/, '')), `${text}: ${message}`)
      assert.ok(decodeURIComponent(text).includes(value), `${text}: ${message}`)
      refusals.push(`${text}: ${message}`)
    }
    context.diagnostic(`${texts.length - refusals.length} of ${texts.length}`)
    assert.ok(refusals.length <= texts.length * 0.2, `${refusals.length} of ${texts.length}:\n${refusals.join('\n')}`)
  })
