import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { type SignedIn, signUp } from '../../../../test/support/person.ts'
import { addMember, sharedServerOn } from '../../../../test/support/shared-server-on.ts'
import type { Session } from '../../sessions.ts'

const SESSIONS = '/api/user/sessions'

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: the sessions of an account`, { skip }, async (t) => {
    const { server, database } = await sharedServerOn(target, t)
    const { url } = server

    const signIn = async ({ email, password }: { email: string; password: string }, userAgent: string) => {
      const headers = { 'user-agent': userAgent }
      return (await send<SignedIn>(url, 'POST /api/auth/sign-in', { body: { email, password }, headers })).body
    }
    const list = async (token: string) => (await send<readonly Session[]>(url, `GET ${SESSIONS}`, { token })).body
    const statusOf = async ({ token }: { readonly token: string }) => (await send(url, 'GET /api/user', { token })).status
    const actionsOf = async (id: string) => {
      const { rows } = await database.pool.query('select action from audit_entry where account_id = $1 order by id', [id])
      return rows.map(({ action }) => action).filter((action) => action !== 'signed_up')
    }

    await t.test(
      'the list marks the session that asks, has the user agent of each, and is sorted by the latest use',
      async () => {
        const ada = await signUp(url)
        const laptop = await signIn(ada, 'Mozilla/5.0 <script>alert(1)</script>')
        const phone = await signIn(ada, 'x'.repeat(500))
        const silent = await signIn(ada, '')
        await database.pool.query(`update login_token set created_at = created_at - interval '1 hour' where account_id = $1`, [
          ada.user.id,
        ])
        await statusOf(laptop)
        const rows = await list(laptop.token)
        assert.deepEqual(
          rows.map(({ current, from }) => [current, from]),
          [
            [true, 'Mozilla/5.0 <script>alert(1)</script>'],
            // Not used yet, and so in the order of their sign-ins, or their ids.
            ...rows.slice(1).map(({ from }) => [false, from]),
          ],
        )
        assert.deepEqual(new Set(rows.slice(1).map(({ from }) => from)), new Set(['node', 'x'.repeat(200), null]))
        assert.ok(rows[0]?.lastUsedAt && Date.parse(rows[0].lastUsedAt) > Date.parse(rows[0].createdAt))
        assert.equal(rows.find(({ from }) => from?.startsWith('xx'))?.lastUsedAt, null)
        assert.equal(rows.filter(({ expiresAt }) => Date.parse(expiresAt) > Date.now()).length, 4)
        await database.pool.query(
          'update login_token set expires_at = clock_timestamp() where user_agent is null and account_id = $1',
          [ada.user.id],
        )
        assert.equal((await list(phone.token)).length, 3, 'what has expired is not listed')
        assert.ok(silent.token)
      },
    )

    await t.test('a session that is ended is refused at once; the others go on', async () => {
      const ada = await addMember(database)
      const phone = await signIn(ada, 'phone')
      const doomedValue = (await list(ada.token)).find(({ from }) => from === 'phone') ?? assert.fail()
      assert.equal(await statusOf(phone), 200)
      const end = () => send(url, `DELETE ${SESSIONS}/${doomedValue.id}`, { token: ada.token })
      assert.deepEqual((await end()).body, { deleted: true })
      assert.deepEqual([await statusOf(phone), await statusOf(ada)], [401, 200])
      assert.deepEqual([(await end()).status, await actionsOf(ada.user.id)], [404, ['sign_in_ended']])
    })

    await t.test('the session of another account, an unknown id and a malformed id are not found', async () => {
      const ada = await addMember(database)
      const eve = await addMember(database)
      const [own] = await list(ada.token)
      for (const id of [own?.id, randomUUID(), 'none', '%27']) {
        const { status, error } = await send(url, `DELETE ${SESSIONS}/${id}`, { token: eve.token })
        assert.deepEqual([status, error?.statusMessage], [404, 'not_found'], String(id))
      }
      assert.equal(await statusOf(ada), 200)
    })

    await t.test('all other sessions can be ended, also by two requests at once, and the one that asks goes on', async () => {
      const ada = await addMember(database)
      const others = [await signIn(ada, 'one'), await signIn(ada, 'two')]
      const end = () => send<{ signedOut: number }>(url, `DELETE ${SESSIONS}`, { token: ada.token })
      const endedAnswers = await Promise.all([end(), end()])
      assert.deepEqual(endedAnswers.map(({ body }) => body.signedOut).sort(), [0, 2])
      assert.deepEqual([await statusOf(ada), ...(await Promise.all(others.map((each) => statusOf(each))))], [200, 401, 401])
      assert.deepEqual(await actionsOf(ada.user.id), ['other_sign_ins_ended'])
    })
  })
}
