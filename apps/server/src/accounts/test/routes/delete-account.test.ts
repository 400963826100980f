import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { grant, makeLogin } from '../../../../test/support/accounts.ts'
import { filesOf, startBatch, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { caller } from '../../../../test/support/call.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import type { Person, SignedIn } from '../../../../test/support/person.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import { addMember } from '../../../../test/support/shared-server-on.ts'
import { jobs } from '../../../housekeeping.ts'
import { openLog } from '../../../log.ts'
import { findMismatches } from '../../../metering/ledger.ts'
import type { Services } from '../../../services.ts'
import type { AccountsPage } from '../../manage-accounts.ts'

const small = await solid(8, 8, '#123456').png().toBuffer()
/** Takes long enough that the account can be deleted meanwhile. */
const large = await solid(1200, 1200, '#123456').png().toBuffer()
/** As AVIF, enlarged to 2,400 pixels, takes a second. */
const slow = await photo(800, 600).jpeg().toBuffer()

/** Tables with rows of an account, except those of the ledger. */
const TRACES = [
  'api_key',
  'login_token',
  'batch',
  'webhook_delivery',
  'webhook_secret',
  'webhook_turn',
  'ai_key',
  'usage_event',
  'usage_day',
  'ai_usage_day',
  'idempotent_request',
  'request_window',
  'reservation',
]

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: an account that its owner deletes`, { skip }, async (t) => {
    const settings = { AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only', EGRESS_ALLOW: '127.0.0.1', BURST_PER_MINUTE: '0' }
    const { server, database } = await serverOn(target, t, settings)
    const { url } = server
    const query = async (text: string, values: unknown[]) => (await database.pool.query(text, values)).rows
    const { rows } = await database.pool.query(`select id from account where role = 'admin'`)
    const administrator = { id: rows[0].id as string, token: await makeLogin(database, rows[0].id) }

    const remove = ({ token, password }: Pick<Person, 'token' | 'password'>) =>
      send(url, 'DELETE /api/user', { token, body: { password } })
    const tracesOf = async (id: string) => {
      const left = TRACES.map(async (table) => {
        const [row] = await query(`select count(*)::int as rows from ${table} where account_id = $1`, [id])
        return row.rows > 0 ? [`${table}: ${row.rows}`] : []
      })
      return (await Promise.all(left)).flat()
    }
    const clear = () => jobs['clear-deleted-accounts'].run({ database } as Services, openLog('silent'))
    const accountOf = async (id: string) => (await query('select * from account where id = $1', [id]))[0]

    /** An account on the plan Team, with a key. */
    async function customer() {
      const person = await addMember(database)
      await database.pool.query(`update account set plan = 'team', name = 'Ada' where id = $1`, [person.user.id])
      const { body } = await send<{ key: string }>(url, 'POST /api/user/api-keys', { token: person.token, body: { name: 'x' } })
      return { ...person, id: person.user.id, key: body.key }
    }
    type Customer = Awaited<ReturnType<typeof customer>>
    const convert = (
      { key }: Pick<Customer, 'key'>,
      image = small,
      fields: Readonly<Record<string, string | number>> = { format: 'png' },
    ) => caller({ url, key }).post('convert', fields, { image })

    await t.test('only the ledger and the audit log keep rows of the account, and its address is free', async () => {
      const ada = await customer()
      await grant(database, ada.id, 7)
      await convert(ada)
      const savedValue = { baseUrl: 'http://127.0.0.1:11434/v1', model: 'm', apiKey: 'sk-0123456789abcdefghij' }
      assert.equal((await send(url, 'PUT /api/user/ai-key', { token: ada.token, body: savedValue })).status, 200)
      await send(url, 'GET /api/user/webhook-secret', ada)
      const { batch } = await startBatch({ url, key: ada.key }, zipOf({ 'a.png': small }), {}, { 'idempotency-key': 'k' })
      await untilEnded({ url, key: ada.key }, batch.id)
      assert.ok(await until(async () => (await query('select from usage_event where account_id = $1', [ada.id])).length === 2))
      const phone = await send<SignedIn>(url, 'POST /api/auth/sign-in', { body: { email: ada.email, password: ada.password } })

      assert.deepEqual((await remove(ada)).body, { deleted: true })
      for (const { token } of [ada, phone.body]) {
        const { error } = await send(url, 'GET /api/user', { token })
        assert.equal(error?.statusMessage, 'invalid_or_expired_login_token')
      }
      assert.equal((await convert(ada)).error?.statusMessage, 'invalid_or_revoked_api_key')
      assert.deepEqual(await tracesOf(ada.id), [])
      assert.ok(await until(async () => (await filesOf(server.dir)).every((file) => !file.includes(batch.id)), 30_000))

      const { email, name: calledValue, credits, role, deleted_at } = await accountOf(ada.id)
      assert.deepEqual([email, calledValue, credits, role], [`deleted-${ada.id}@invalid`, '', 7, 'user'])
      assert.ok(deleted_at)
      const [entry] = await query('select action, details from audit_entry where account_id = $1 order by id desc limit 1', [
        ada.id,
      ])
      assert.deepEqual(entry, { action: 'account_deleted', details: { credits: 7 } })
      const [listedItem] = await query('select sum(credits)::int as credits from credit_entry where account_id = $1', [ada.id])
      assert.equal(listedItem.credits, 7)

      const signIn = { email: ada.email, password: ada.password }
      assert.equal((await send(url, 'POST /api/auth/sign-in', { body: signIn })).error?.statusMessage, 'invalid_credentials')
      const again = await send<SignedIn>(url, 'POST /api/auth/sign-up', { body: signIn })
      assert.deepEqual([again.status, again.body.user.credits], [201, 0])
      assert.notEqual(again.body.user.id, ada.id)
    })

    await t.test('administrators no longer find the account', async () => {
      const ada = await customer()
      await remove(ada)
      const as = <Body>(route: string, body?: unknown) => send<Body>(url, route, { token: administrator.token, body })
      const { data } = (await as<AccountsPage>('GET /api/admin/users?query=deleted-')).body
      assert.deepEqual(data, [])
      for (const body of [{ disabled: false }, { password: 'a new password' }, { role: 'admin' }])
        assert.equal((await as(`PATCH /api/admin/users/${ada.id}`, body)).error?.statusMessage, 'not_found')
      const gift = { credits: 1, note: 'x' }
      assert.equal((await as(`POST /api/admin/users/${ada.id}/credits`, gift)).error?.statusMessage, 'not_found')
    })

    await t.test('the password is asked for, and wrong ones are limited', async () => {
      const ada = await customer()
      const wrong = await Promise.all(Array.from({ length: 11 }, () => remove({ ...ada, password: 'no idea at all' })))
      const codes = new Set(wrong.map(({ error }) => error?.statusMessage))
      assert.deepEqual(codes, new Set(['invalid_credentials', 'rate_limited']))
      assert.equal((await send(url, 'DELETE /api/user', { token: ada.token })).error?.statusMessage, 'invalid_params')
      assert.equal((await send(url, 'GET /api/user', ada)).status, 200)
    })

    await t.test('of several requests at once one deletes the account', async () => {
      const ada = await customer()
      const answers = await Promise.all([remove(ada), remove(ada), remove(ada)])
      for (const { status, error } of answers)
        assert.ok(status === 200 || error?.statusMessage === 'invalid_or_expired_login_token', JSON.stringify(error))
      const entries = await query(`select from audit_entry where account_id = $1 and action = 'account_deleted'`, [ada.id])
      assert.deepEqual([answers.some(({ status }) => status === 200), entries.length], [true, 1])
    })

    await t.test('a page of this server loses its cookie', async () => {
      const ada = await customer()
      const headers = { cookie: `session=${ada.token}`, origin: url }
      const { status, headers: sentHeaders } = await send(url, 'DELETE /api/user', { headers, body: { password: ada.password } })
      assert.equal(status, 200)
      assert.match(sentHeaders.get('set-cookie') ?? '', /^session=; .*Max-Age=0/)
    })

    await t.test('the last administrator cannot be deleted, and of two at once one stays', async () => {
      const ada = await customer()
      await database.pool.query(`update account set role = case when id = $1 then 'admin' else 'user' end`, [ada.id])
      assert.equal((await remove(ada)).error?.statusMessage, 'last_administrator')
      const grace = await customer()
      await database.pool.query(`update account set role = 'admin' where id = $1`, [grace.id])
      const codes = (await Promise.all([remove(ada), remove(grace)])).map(({ error }) => error?.statusMessage)
      assert.deepEqual(codes.toSorted(), ['last_administrator', undefined])
    })

    await t.test('a call that is being worked on is answered and charged', async () => {
      const ada = await customer()
      await database.pool.query(`update account set plan = 'free' where id = $1`, [ada.id])
      await grant(database, ada.id, 2)
      const calling = convert(ada, slow, { format: 'avif', width: 2400 })
      assert.ok(await until(async () => (await accountOf(ada.id)).reserved === 1))
      assert.equal((await remove(ada)).status, 200)
      assert.equal((await calling).status, 200)
      const { credits, reserved } = await accountOf(ada.id)
      assert.deepEqual([credits, reserved, await findMismatches(database)], [1, 0, []])
      // Its event is written a moment later, and found by the housekeeping.
      await until(async () => (await tracesOf(ada.id)).length > 0)
      await clear()
      assert.deepEqual(await tracesOf(ada.id), [])
    })

    await t.test(
      'batches that are running end, their files are deleted, and images that were not converted are refunded',
      async () => {
        const ada = await customer()
        await database.pool.query(`update account set plan = 'free' where id = $1`, [ada.id])
        await grant(database, ada.id, 100)
        const images = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`${n}.png`, large]))
        const batches = await Promise.all(
          [1, 2, 3].map(() => startBatch({ url, key: ada.key }, zipOf(images), { format: 'webp' })),
        )
        const underWay = async () =>
          (
            await query(
              `select from batch_item i join batch b on b.id = i.batch_id where b.account_id = $1 and i.state = 'claimed'`,
              [ada.id],
            )
          ).length > 0
        assert.ok(await until(underWay, 60_000))
        assert.equal((await remove(ada)).status, 200)
        const { credits, reserved } = await accountOf(ada.id)
        assert.ok(credits > 64 && reserved === 0, `${credits} credits, ${reserved} reserved`)
        const ids = batches.map(({ batch }) => batch.id)
        assert.ok(
          await until(async () => !(await filesOf(server.dir)).some((file) => ids.some((id) => file.includes(id))), 30_000),
        )
        assert.deepEqual(await findMismatches(database), [])
        await clear()
        assert.deepEqual(await tracesOf(ada.id), [])
      },
    )

    await t.test('rows that an upload leaves later are deleted, until no upload can be under way', async () => {
      const ada = await customer()
      await remove(ada)
      // As an upload does whose call was admitted before.
      await database.pool.query(
        `insert into batch (id, account_id, format, quality, total, pending) values (gen_random_uuid(), $1, 'webp', 80, 1, 1)`,
        [ada.id],
      )
      await clear()
      assert.deepEqual([await tracesOf(ada.id), (await accountOf(ada.id)).cleared_at], [[], null])
      await database.pool.query(`update account set deleted_at = now() - interval '3 hours' where id = $1`, [ada.id])
      await clear()
      assert.ok((await accountOf(ada.id)).cleared_at)
    })

    await t.test('only a deleted account can be cleared', async () => {
      const ada = await customer()
      await assert.rejects(database.pool.query('select clear_account($1)', [ada.id]), /is not deleted/)
      assert.deepEqual(await tracesOf(ada.id), ['api_key: 1', 'login_token: 1'])
    })
  })
}
