import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { send } from '../../../test/support/json-call.ts'
import { newAddress, type SignedIn, signUp } from '../../../test/support/person.ts'
import { serverOn } from '../../../test/support/server-on.ts'
import type { Session } from '../../accounts/sessions.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: what one server revokes, the next call to the other refuses`, { skip }, async (t) => {
    const { server, database, another } = await serverOn(target, t)
    const other = await another()
    const { url } = server
    const statusOf = async (at: { readonly url: string }, token: string) =>
      (await send(at.url, 'GET /api/user', { token })).status
    const convert = (at: { readonly url: string }, key: string) =>
      caller({ url: at.url, key }).post('convert', { format: 'png' }, { image })

    await t.test('a token that is signed out', async () => {
      const { token } = await signUp(url)
      assert.deepEqual([await statusOf(server, token), await statusOf(other, token)], [200, 200])
      await send(url, 'POST /api/auth/sign-out', { token })
      const { error } = await send(other.url, 'GET /api/user', { token })
      assert.equal(error?.statusMessage, 'invalid_or_expired_login_token')
    })

    await t.test('a session that another session ends', async () => {
      const { email, password, token } = await signUp(url)
      const headers = { 'user-agent': 'phone' }
      const phone = (await send<SignedIn>(url, 'POST /api/auth/sign-in', { body: { email, password }, headers })).body
      const sessions = (await send<readonly Session[]>(url, 'GET /api/user/sessions', { token })).body
      const { id } = sessions.find(({ from }) => from === 'phone') ?? assert.fail()
      assert.equal(await statusOf(other, phone.token), 200)
      assert.deepEqual((await send(url, `DELETE /api/user/sessions/${id}`, { token })).body, { deleted: true })
      assert.deepEqual([await statusOf(other, phone.token), await statusOf(other, token)], [401, 200])
    })

    await t.test('an API key, which no log shows', async () => {
      const { token, user } = await signUp(url)
      await database.pool.query("update account set plan = 'team' where id = $1", [user.id])
      const body = { name: 'shared' }
      const { key, id } = (await send<{ id: string; key: string }>(url, 'POST /api/user/api-keys', { token, body })).body
      for (const at of [server, other]) assert.equal((await convert(at, key)).status, 200)
      await send(url, `DELETE /api/user/api-keys/${id}`, { token })
      for (const at of [other, server]) assert.equal((await convert(at, key)).error?.statusMessage, 'invalid_or_revoked_api_key')
      assert.ok(!(server.output() + other.output()).includes(key))
    })

    await t.test('ten wrong passwords, whichever server they are sent to', async () => {
      const { email } = await signUp(url)
      const guess = (at: string) => send(at, 'POST /api/auth/sign-in', { body: { email, password: 'wrong' } })
      const answers = await Promise.all(Array.from({ length: 14 }, (_, n) => guess(n % 2 ? url : other.url)))
      assert.equal(answers.filter(({ status }) => status === 401).length, 10)
      assert.equal(answers.filter(({ status }) => status === 429).length, 4)
    })

    await t.test('the log has no password, token or address of these calls', async () => {
      const { token, email, password } = await signUp(url)
      await send(url, 'PATCH /api/user', { token, body: { email: newAddress(), currentPassword: password } })
      await send(url, 'POST /api/auth/sign-in', { body: { email, password: 'wrong' } })
      const output = server.output()
      assert.match(output, /"route":"\/api\/auth\/sign-in"/)
      for (const secret of ['at_', password, email]) assert.ok(!output.includes(secret), secret)
    })
  })
}
