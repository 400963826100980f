import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openServerDatabase } from '../../../test/support/accounts.ts'
import { send } from '../../../test/support/json-call.ts'
import { startServer } from '../../../test/support/server.ts'
import { command } from './command.ts'

const EMAIL = 'ada@example.com'
const OLD = 'the old password'

const signIn = ({ url }: { readonly url: string }, password: string) =>
  send<{ token: string }>(url, 'POST /api/auth/sign-in', { body: { email: EMAIL, password } })

test('an administrator who lost the password gets in again, whether the server runs or not', async () => {
  await using server = await startServer({ RENDERERS: '1', ADMIN_EMAIL: EMAIL, ADMIN_PASSWORD: OLD })
  const before = await signIn(server, OLD)
  const reset = await command('reset-password', [' Ada@Example.com'], { DATA_DIR: server.dir })
  const password = /^ada@example\.com \(admin\) has the password (\S{16}) from now on/.exec(reset.output)?.[1]
  assert.ok(reset.code === 0 && password, reset.output)
  assert.equal((await signIn(server, OLD)).status, 401)
  assert.equal((await send(server.url, 'GET /api/user', { token: before.body.token })).status, 401)
  const after = await signIn(server, password)
  assert.equal((await send(server.url, 'GET /api/user', { token: after.body.token })).status, 200)
  const database = await openServerDatabase(server.dir)
  const { rows } = await database.pool.query(`select actor_id, details from audit_entry where action = 'password_set'`)
  assert.deepEqual(rows, [{ actor_id: null, details: { tokensRevoked: 1 } }])
  await database.pool.query(`update account set role = 'user', disabled_at = now()`)
  await database.close()

  await server.stop()
  const raisedValue = await command('reset-password', [EMAIL, '--administrator'], { DATA_DIR: server.dir })
  const newer = /\(admin\) has the password (\S{16})/.exec(raisedValue.output)?.[1] ?? assert.fail(raisedValue.output)
  await using again = await startServer({ RENDERERS: '1', DATA_DIR: server.dir, ADMIN_API_KEY: server.key })
  assert.equal((await signIn(again, newer)).status, 200)
  const unknownValue = await command('reset-password', ['bob@example.com'], { DATA_DIR: server.dir })
  assert.deepEqual(unknownValue, {
    code: 1,
    output: "No account has the address bob@example.com; the first administrator's is ada@example.com.\n",
  })
})
