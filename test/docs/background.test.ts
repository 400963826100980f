import assert from 'node:assert/strict'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { backgroundSettings } from 'pixelmill-server/settings/background'
import { signUp } from 'pixelmill-server/test/support/person'
import { shareServer } from 'pixelmill-server/test/support/shared-server'
import { runPage, skipWithoutCurl as skip } from 'pixelmill-server/test/support/shell-page'
import sharp from 'sharp'

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
