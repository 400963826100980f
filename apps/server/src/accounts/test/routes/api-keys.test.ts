import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { caller } from '../../../../test/support/call.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { addMember, sharedServerOn } from '../../../../test/support/shared-server-on.ts'

interface Entry {
  readonly id: string
  readonly name: string
  readonly prefix: string
  readonly lastFour: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}
type Made = Entry & { readonly key: string }

const KEYS = '/api/user/api-keys'
const image = await solid(8, 8, '#123456').png().toBuffer()

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: API keys of an account`, { skip }, async (t) => {
    const { server, database } = await sharedServerOn(target, t)
    const { url } = server
    const onTeam = async () => {
      const person = await addMember(database)
      await database.pool.query("update account set plan = 'team' where id = $1", [person.user.id])
      return person
    }
    const make = (token: string, name: unknown) => send<Made>(url, `POST ${KEYS}`, { token, body: { name } })
    const list = async (token: string) => (await send<Entry[]>(url, `GET ${KEYS}`, { token })).body
    const convert = (key: string) => caller({ url, key }).post('convert', { format: 'png' }, { image })

    await t.test('a key is made, shown once, listed newest first, renamed and revoked', async () => {
      const { token } = await onTeam()
      assert.deepEqual(await list(token), [])
      const { status, body } = await make(token, '  shop ')
      const { key, ...entry } = body
      assert.equal(status, 201)
      assert.match(key, /^sk_[A-Za-z0-9]{48}$/)
      assert.deepEqual([entry.name, entry.prefix, entry.lastFour], ['shop', key.slice(0, 7), key.slice(-4)])
      assert.equal(entry.lastUsedAt, null)
      const second = (await make(token, 'shop')).body
      assert.deepEqual(
        (await list(token)).map(({ id }) => id),
        [second.id, entry.id],
      )
      assert.ok(!JSON.stringify(await list(token)).includes(key.slice(7, -4)), 'the list does not show it')

      assert.equal((await convert(key)).status, 200)
      const usedEntry = (await list(token)).find(({ id }) => id === entry.id)
      assert.ok(Math.abs(Date.parse(usedEntry?.lastUsedAt ?? '') - Date.now()) < 60_000, String(usedEntry?.lastUsedAt))

      const renamedAnswer = await send<Entry>(url, `PATCH ${KEYS}/${entry.id}`, { token, body: { name: 'Zoë’s shop' } })
      assert.deepEqual(renamedAnswer.body, { ...usedEntry, name: 'Zoë’s shop' })
      const windows = () => database.pool.query('select from request_window where caller = any($1)', [[entry.id, second.id]])
      await database.pool.query(
        `insert into request_window (caller, kind, account_id)
         select id, kind, account_id from api_key, unnest(array['work', 'read']) kind where id = any($1)`,
        [[entry.id, second.id]],
      )
      assert.deepEqual((await send(url, `DELETE ${KEYS}/${entry.id}`, { token })).body, { deleted: true })
      assert.equal((await windows()).rowCount, 2, 'its windows of the burst limit go with it')
      assert.deepEqual(
        (await list(token)).map(({ id }) => id),
        [second.id],
      )
      assert.equal((await convert(second.key)).status, 200)
      assert.equal((await convert(key)).error?.statusMessage, 'invalid_or_revoked_api_key')
    })

    await t.test("the id of another account's key, of a revoked key, an unknown and a malformed id are not found", async () => {
      const ada = await onTeam()
      const eve = await onTeam()
      const hers = (await make(ada.token, 'hers')).body
      const revokedValue = (await make(eve.token, 'old')).body
      await send(url, `DELETE ${KEYS}/${revokedValue.id}`, { token: eve.token })
      for (const id of [hers.id, revokedValue.id, crypto.randomUUID(), 'x', "'--", `${hers.id}%20`]) {
        const renamedAnswer = await send(url, `PATCH ${KEYS}/${id}`, { token: eve.token, body: { name: 'mine' } })
        assert.deepEqual([renamedAnswer.status, renamedAnswer.error?.statusMessage], [404, 'not_found'], id)
        const deletedAnswer = await send(url, `DELETE ${KEYS}/${id}`, { token: eve.token })
        assert.deepEqual([deletedAnswer.status, deletedAnswer.error?.statusMessage], [404, 'not_found'], id)
      }
      assert.deepEqual(
        (await list(ada.token)).map((key) => key.name),
        ['hers'],
      )
      assert.equal((await convert(hers.key)).status, 200)
    })

    await t.test('a name has 1 to 100 characters on one line', async () => {
      const { token } = await onTeam()
      for (const wrong of ['', '   ', 'x'.repeat(101), 'two\nlines', 'nul\u0000', '\ud800', 7, null, undefined, ['a']]) {
        const { status, error } = await make(token, wrong)
        assert.deepEqual([status, error?.issues?.[0]?.path], [400, ['name']], JSON.stringify(wrong))
      }
      for (const right of ['x'.repeat(100), '😀'.repeat(100), 'a']) assert.equal((await make(token, right)).status, 201)
    })

    await t.test('of keys that are made at once a hundred are the most, and a revoked one makes place for another', async () => {
      const { token, user } = await onTeam()
      await database.pool.query(
        `insert into api_key (account_id, name, prefix, last_four, hash)
         select $1::uuid, 'key ' || n, 'sk_0000', '0000', sha256(($1::uuid::text || n)::bytea) from generate_series(1, 95) n`,
        [user.id],
      )
      const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => make(token, `key ${n}`)))
      assert.equal(answers.filter(({ status }) => status === 201).length, 5)
      const refusedAnswers = answers.filter(({ status }) => status !== 201)
      assert.deepEqual(new Set(refusedAnswers.map(({ error }) => error?.statusMessage)), new Set(['too_many_api_keys']))
      const [first] = await list(token)
      await send(url, `DELETE ${KEYS}/${first?.id}`, { token })
      assert.deepEqual([(await make(token, 'hundredth')).status, (await make(token, 'one more')).status], [201, 409])
    })
  })
}
