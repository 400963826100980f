import assert from 'node:assert/strict'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { backgroundSettings } from '../../src/settings/background.ts'
import { tempFolder } from '../database/temp-folder.ts'
import { signUp } from '../support/person.ts'
import { shareServer } from '../support/shared-server.ts'
import { runPage, skipWithoutCurl as skip } from '../support/shell-page.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = 'docs/background.md'

test('every line of docs/background.md works as it stands', { skip }, async (t) => {
  const folder = await tempFolder(t)
  await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
  await using server = await shareServer()
  const { token } = await signUp(server.url)
  const outputOf = await runPage(PAGE, { URL: server.url, KEY: server.key, TOKEN: token }, folder)

  assert.match(
    outputOf('-o product.png'),
    /^HTTP\/1.1 200 OK[\s\S]*x-background-removal: local\r\nx-background-confidence: 0\.[7-9]\d\r\n/,
  )
  assert.match(outputOf('-o product.webp'), /x-background-limit: 50\r\nx-background-remaining: 49\r\n/)
  assert.match(outputOf('/api/v2/usage'), /"background":\{"limit":null,"used":1,"remaining":null,/)
  for (const name of ['product.png', 'product.webp']) {
    const { width, height, hasAlpha } = await sharp(await readFile(join(folder, name))).metadata()
    assert.deepEqual([width, height, hasAlpha], [1200, 900, true])
  }
})

test('docs/background.md has every setting with its default', async () => {
  const page = await readFile(join(ROOT, PAGE), 'utf8')
  for (const [name, { otherwise }] of Object.entries(backgroundSettings)) {
    const [value = ''] = otherwise.split(':')
    assert.ok(page.includes(`| \`${name}\` | ${value} |`), name)
  }
})
