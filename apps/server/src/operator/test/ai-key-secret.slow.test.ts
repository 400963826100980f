import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { says, startFakeVision } from '../../../test/support/fake-vision.ts'
import { send } from '../../../test/support/json-call.ts'
import { startServer } from '../../../test/support/server.ts'
import { startEmbedded } from '../../database/embedded/server.ts'
import { command } from './command.ts'

const KEY = 'sk-saved-0123456789abcdef'
const open = { RENDERERS: '1', EGRESS_ALLOW: '127.0.0.1' }

/** Whether the saved key is decrypted and sent to its model. */
const works = async (url: string, token: string): Promise<boolean | string | undefined> => {
  const { body, error } = await send<{ readonly ok: boolean }>(url, 'POST /api/user/ai-key/test', { token, body: {} })
  return error?.statusMessage ?? body.ok
}

test('a key that is saved without any setting works after a restart, from a backup, and where everything moved to', {
  skip: skipByDay,
}, async (t) => {
  const folder = await tempFolder(t)
  await using model = await startFakeVision({ seeing: says(JSON.stringify({ saw: 'a red square' })) })
  await using server = await startServer(open)
  const database = await openServerDatabase(server.dir)
  const { id } = await makeAccount(database, 'free')
  const token = await makeLogin(database, id)
  await database.close()
  const savedValue = { baseUrl: model.url, model: 'seeing', apiKey: KEY }
  assert.equal((await send(server.url, 'PUT /api/user/ai-key', { token, body: savedValue })).status, 200)
  assert.equal(await works(server.url, token), true)
  const secret = (await readFile(join(server.dir, 'ai-key-secret'), 'utf8')).trim()
  assert.ok(!server.output().includes(secret), 'it is not printed')

  const backup = await command('backup', [join(folder, 'backups')], { DATA_DIR: server.dir })
  assert.equal(backup.code, 0, backup.output)
  const [name = ''] = await readdir(join(folder, 'backups'))
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: join(folder, 'backups', name) })
  execFileSync('cp', ['-a', join(folder, 'backups', name), join(folder, 'restored')])
  await server.stop()

  await using restoredServer = await startServer({ ...open, DATA_DIR: join(folder, 'restored'), ADMIN_API_KEY: server.key })
  assert.equal(await works(restoredServer.url, token), true)
  await restoredServer.stop()

  await mkdir(join(folder, 'target'), { mode: 0o700 })
  const target = await startEmbedded({ dataDir: join(folder, 'target'), onLog: () => {} })
  t.after(() => target.stop())
  const DATABASE_URL = `postgres:///postgres?user=pixelmill&host=${encodeURIComponent(target.socketDir)}`
  const movedValue = await command('move', [], { DATA_DIR: join(folder, 'restored'), DATABASE_URL })
  assert.equal(movedValue.code, 0, movedValue.output)
  assert.match(movedValue.output, /AI keys: 1 saved, .*ai-key-secret\. On every server, set AI_KEY_ENCRYPTION_SECRET/)
  assert.ok(!movedValue.output.includes(secret))
  const again = await command('move', [], { DATA_DIR: join(folder, 'restored'), DATABASE_URL, AI_KEY_ENCRYPTION_SECRET: secret })
  assert.doesNotMatch(again.output, /AI keys/)

  await using without = await startServer({ ...open, DATABASE_URL, ADMIN_API_KEY: server.key })
  assert.equal(await works(without.url, token), 'ai_key_encryption_disabled')
  assert.match(without.output(), /with DATABASE_URL, set AI_KEY_ENCRYPTION_SECRET on every server/)
  await using moving = await startServer({ ...open, DATABASE_URL, ADMIN_API_KEY: server.key, AI_KEY_ENCRYPTION_SECRET: secret })
  assert.equal(await works(moving.url, token), true)
})
