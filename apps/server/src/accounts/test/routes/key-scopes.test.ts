import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { caller } from '../../../../test/support/call.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { addMember, sharedServerOn } from '../../../../test/support/shared-server-on.ts'
import { hashApiKey, makeApiKey } from '../../api-keys.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()
const RECIPE = { steps: [{ flip: {} }] }
const SOURCE = { type: 'web', baseUrl: 'https://8.8.8.8/' }

/** Calls that a key with the scope may make; the second word of a form is the operation of POST /api/v1. */
const calls: readonly { readonly scope: string; readonly call: string; readonly body?: unknown }[] = [
  { scope: 'presets', call: 'PUT /api/user/presets/of-key', body: { recipe: RECIPE } },
  { scope: 'presets', call: 'GET /api/user/presets' },
  { scope: 'presets', call: 'DELETE /api/user/presets/of-key' },
  { scope: 'sources', call: 'PUT /api/user/sources/NAME', body: SOURCE },
  { scope: 'sources', call: 'GET /api/user/sources' },
  { scope: 'sources', call: 'POST /api/user/sources/NAME/sign', body: { path: 'a.jpg', query: 'w=10' } },
  { scope: 'sources', call: 'DELETE /api/user/sources/NAME' },
  { scope: 'usage', call: 'GET /api/v2/usage' },
  { scope: 'usage', call: 'GET /api/v2/credits' },
  { scope: 'batch', call: 'GET /api/v2/batch/limits' },
]

/** What needs a sign-in, whatever the scopes of a key. */
const refusedCalls = [
  { call: 'POST /api/user/api-keys', body: { name: 'more', scopes: ['images'] } },
  { call: 'GET /api/user/api-keys' },
  { call: 'PATCH /api/user', body: { password: 'a new password 1', currentPassword: 'correct horse battery' } },
  { call: 'GET /api/user/sessions' },
]

for (const target of TARGETS)
  test(`${target.name}: scopes of API keys`, { skip: target.skip }, async (t) => {
    const { server, database } = await sharedServerOn(target, t)
    const { url } = server
    const person = await addMember(database)
    await database.pool.query("update account set plan = 'team' where id = $1", [person.user.id])
    const { token } = person
    const keyWith = async (scopes: readonly string[]) =>
      (await send<{ key: string }>(url, 'POST /api/user/api-keys', { token, body: { name: scopes.join(), scopes } })).body.key
    const name = `scoped-${person.user.id.slice(0, 8)}`

    await t.test('each call needs the scope of its subject, and the refusal names it', async () => {
      for (const scope of new Set(calls.map((one) => one.scope))) {
        const key = await keyWith([scope])
        for (const { scope: neededScope, call, body } of calls) {
          const answer = await send(url, call.replace('NAME', name), { token: key, ...(body !== undefined && { body }) })
          if (neededScope === scope) assert.ok(answer.status < 300, `${call} with ${scope}: ${answer.status}`)
          else {
            assert.deepEqual([answer.status, answer.error?.statusMessage], [403, 'forbidden'], `${call} with ${scope}`)
            assert.match(answer.error?.message ?? '', new RegExp(`scope "${neededScope}"`))
          }
        }
      }
    })

    await t.test('a refused image costs nothing, and a key with images makes it', async () => {
      const refusedAnswer = await caller({ url, key: await keyWith(['presets', 'usage']) }).post(
        'convert',
        { format: 'png' },
        { image },
      )
      assert.equal(refusedAnswer.error?.statusMessage, 'forbidden')
      const key = await keyWith(['images'])
      assert.equal((await caller({ url, key }).post('convert', { format: 'png' }, { image })).status, 200)
      const { rows } = await database.pool.query('select used from usage_month where account_id = $1', [person.user.id])
      assert.deepEqual(rows, [{ used: 1 }])
    })

    await t.test('a key from before the scopes can do what it could', async () => {
      const key = makeApiKey()
      // As a server of the version before writes it.
      await database.pool.query(
        `insert into api_key (account_id, name, hash, prefix, last_four) values ($1, 'old', $2, 'sk_aaaa', 'zzzz')`,
        [person.user.id, hashApiKey(key)],
      )
      assert.equal((await caller({ url, key }).post('convert', { format: 'png' }, { image })).status, 200)
      assert.equal((await send(url, 'GET /api/v2/usage', { token: key })).status, 200)
      assert.equal((await send(url, 'GET /api/user/presets', { token: key })).error?.statusMessage, 'forbidden')
    })

    await t.test('no key makes keys or changes the account', async () => {
      const key = await keyWith(['images', 'batch', 'sources', 'presets', 'usage'])
      for (const { call, body } of refusedCalls)
        assert.equal((await send(url, call, { token: key, ...(body && { body }) })).status, 401, call)
    })

    await t.test('unknown and absent scopes are refused, repeated ones are listed once', async () => {
      const make = (scopes: unknown) =>
        send<{ scopes: string[] }>(url, 'POST /api/user/api-keys', { token, body: { name: 'x', scopes } })
      for (const scopes of [[], ['admin'], 'images', [7]])
        assert.equal((await make(scopes)).error?.statusMessage, 'invalid_params')
      assert.deepEqual((await make(['usage', 'images', 'usage'])).body.scopes, ['images', 'usage'])
    })
  })
