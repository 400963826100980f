import assert from 'node:assert/strict'
import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '../database/temp-folder.ts'
import { startServer } from '../support/server.ts'
import { runPage, skipWithoutCurl as skip } from '../support/shell-page.ts'

const ROOT = join(import.meta.dirname, '../..')
test('every line of docs/accounts.md works as it stands, from sign-up to the audit log', { skip }, async (t) => {
  const password = 'printed at the first start'
  await using server = await startServer({ ADMIN_PASSWORD: password, BURST_PER_MINUTE: '30' })
  const folder = await tempFolder(t)
  await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
  const outputOf = await runPage('docs/accounts.md', { URL: server.url, ADMIN_PASSWORD: password }, folder)

  assert.match(outputOf('$URL/api/user\n'), /"email":"ada@example.com","name":"Ada","role":"user","plan":"free","credits":0/)
  assert.match(outputOf('photo.jpg $URL'), /"statusMessage":"api_access_not_available"/)
  assert.match(outputOf('/credits --json'), /"credits":100,"balance":100,"note":"welcome"/)
  assert.match(outputOf('-o photo.webp'), /^HTTP\/1.1 200 OK[\s\S]*x-credits-remaining: 99\r\n/)
  const image = await readFile(join(folder, 'photo.webp'))
  assert.equal(image.toString('latin1', 8, 12), 'WEBP')
  // A busy machine may take more than the page's second to list the call.
  assert.match(outputOf('/api/v2/usage'), /"calls":\{"by":"credits","limit":100,"used":[01],"remaining":99\}/)
  assert.match(outputOf('/api/v2/usage'), /"balance":99[\s\S]*"kind":"call","credits":-1,"balance":99/)
  assert.match(outputOf('/api/auth/sign-out'), /"signedOut":1/)
  assert.match(outputOf('-X DELETE'), /"name":"laptop"[\s\S]*"deleted":true/)
  assert.match(outputOf('/api/user/sessions'), /"current":true,"from":"curl\/[\s\S]*"signedOut":0/)
  assert.match(outputOf('"here for a moment"'), /"deleted":true/)
  assert.match(outputOf('"plan":"team"'), /"plan":"team"[\s\S]*"disabled":true[\s\S]*"disabled":false/)
  const log = outputOf('/api/admin/audit')
  for (const action of ['credits_granted', 'plan_changed', 'password_set', 'disabled_changed'])
    assert.ok(log.includes(action), action)
})
