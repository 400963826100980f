import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { newAddress, type SignedIn, signUp } from '../../../../test/support/person.ts'
import { addMember, sharedServerOn } from '../../../../test/support/shared-server-on.ts'

const PASSWORD = 'correct horse'

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: sign-up, sign-in, profile, sign-out`, { skip }, async (t) => {
    const { server, database } = await sharedServerOn(target, t)
    const { url } = server

    await t.test('sign-up answers 201, a token and the account; a second one for the address is refused', async () => {
      const body = { email: ' Zoë+shop@BÜCHER.example ', password: PASSWORD, name: '  Zoë ' }
      const madeAnswer = await send<SignedIn>(url, 'POST /api/auth/sign-up', { body })
      assert.equal(madeAnswer.status, 201)
      assert.match(madeAnswer.body.token, /^at_[A-Za-z0-9_-]{43}$/)
      const { id, createdAt, ...user } = madeAnswer.body.user
      assert.deepEqual(user, { email: 'zoë+shop@bücher.example', name: 'Zoë', role: 'user', plan: 'free', credits: 0 })
      assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000)
      assert.equal(madeAnswer.headers.get('set-cookie'), null, 'a client that is not a page gets no cookie')
      for (const email of ['zoë+shop@bücher.example', 'ZOE\u0308+SHOP@xn--bcher-kva.example']) {
        const again = await send(url, 'POST /api/auth/sign-up', { body: { email, password: PASSWORD } })
        assert.deepEqual([again.status, again.error?.statusMessage], [409, 'email_taken'], email)
      }
      const other = await send(url, 'POST /api/auth/sign-up', { body: { email: 'zoë@bücher.example', password: PASSWORD } })
      assert.equal(other.status, 201, 'the plus sign belongs to the address')
    })

    await t.test('six sign-ups at once for one address make one account', async () => {
      const body = { email: newAddress(), password: PASSWORD }
      const answers = await Promise.all(Array.from({ length: 6 }, () => send(url, 'POST /api/auth/sign-up', { body })))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array.from({ length: 5 }, () => 409)])
    })

    await t.test('each sign-in has a token of its own; sign-out ends one, or all', async () => {
      const ada = await addMember(database)
      const { email } = ada
      const signIn = async () =>
        (await send<SignedIn>(url, 'POST /api/auth/sign-in', { body: { email, password: PASSWORD } })).body
      const one = await signIn()
      const two = await signIn()
      assert.equal(new Set([ada.token, one.token, two.token]).size, 3)
      const statusOf = async ({ token }: { readonly token: string }) => (await send(url, 'GET /api/user', { token })).status
      assert.deepEqual((await send(url, 'POST /api/auth/sign-out', { token: one.token })).body, { signedOut: 1 })
      assert.deepEqual([await statusOf(ada), await statusOf(one), await statusOf(two)], [200, 401, 200])
      const all = await send(url, 'POST /api/auth/sign-out', { token: two.token, body: { everywhere: true } })
      assert.deepEqual(all.body, { signedOut: 2 })
      assert.deepEqual([await statusOf(ada), await statusOf(two)], [401, 401])
      const goneAnswer = await send(url, 'GET /api/user', { token: two.token })
      assert.equal(goneAnswer.error?.statusMessage, 'invalid_or_expired_login_token')
      assert.equal(goneAnswer.headers.get('www-authenticate'), 'Bearer')
    })

    await t.test('an optional field that is null, or blank where that is no value, counts as left out', async () => {
      const email = newAddress()
      const madeAnswer = await send<SignedIn>(url, 'POST /api/auth/sign-up', {
        body: { email, password: 'correct horse', name: null },
      })
      assert.deepEqual([madeAnswer.status, madeAnswer.body.user.name], [201, ''])
      const change = (body: unknown) =>
        send<Record<string, unknown>>(url, 'PATCH /api/user', { token: madeAnswer.body.token, body })
      assert.equal((await change({ name: 'Ada' })).body.name, 'Ada')
      const blank = { name: null, email: ' ', password: '', currentPassword: null }
      const { status, body } = await change(blank)
      assert.deepEqual([status, body.name, body.email], [200, 'Ada', email])
      assert.equal((await change({ name: '' })).body.name, '', 'a name may be blank')
      const neededAnswer = await send(url, 'POST /api/auth/sign-up', { body: { email: null, password: '' } })
      assert.deepEqual(
        neededAnswer.error?.issues?.map(({ path, message }) => [path[0], message]),
        [
          ['email', 'Must be a text.'],
          ['password', 'Must have at least 8 characters.'],
        ],
      )
    })

    await t.test('name, e-mail address and password are changed, the latter two with the current password', async () => {
      const ada = await addMember(database)
      const { token } = ada
      const change = (body: unknown) => send<Record<string, unknown>>(url, 'PATCH /api/user', { token, body })
      assert.equal((await change({ name: ' Ada ' })).body.name, 'Ada')
      assert.equal((await change({})).body.name, 'Ada')
      const email = newAddress()
      for (const body of [{ email }, { password: 'another horse' }]) {
        const { status, error } = await change(body)
        assert.deepEqual([status, error?.issues?.[0]?.path], [400, ['currentPassword']])
        const wrong = await change({ ...body, currentPassword: 'wrong' })
        assert.deepEqual([wrong.status, wrong.error?.statusMessage], [401, 'invalid_credentials'])
      }
      const other = await addMember(database)
      const takenAnswer = await change({ email: other.email.toUpperCase(), currentPassword: PASSWORD })
      assert.deepEqual([takenAnswer.status, takenAnswer.error?.statusMessage], [409, 'email_taken'])
      const second = await send<SignedIn>(url, 'POST /api/auth/sign-in', { body: { email: ada.email, password: PASSWORD } })
      const changedAnswer = await change({ email, password: 'another horse', currentPassword: PASSWORD })
      assert.deepEqual([changedAnswer.status, changedAnswer.body.email], [200, email])
      assert.equal((await send(url, 'GET /api/user', { token })).status, 200, 'this sign-in goes on')
      assert.equal((await send(url, 'GET /api/user', { token: second.body.token })).status, 401, 'others have ended')
      const signIn = (address: string, password: string) =>
        send(url, 'POST /api/auth/sign-in', { body: { email: address, password } }).then(({ status }) => status)
      assert.equal(await signIn(ada.email, 'another horse'), 401)
      assert.equal(await signIn(email, PASSWORD), 401)
      assert.equal(await signIn(email, 'another horse'), 200)
    })

    await t.test('a password is not trimmed, and is the same however it is written', async () => {
      const { email } = await signUp(url, ' pa\u0308ssword ')
      const signIn = (password: string) =>
        send(url, 'POST /api/auth/sign-in', { body: { email, password } }).then(({ status }) => status)
      assert.deepEqual([await signIn(' p\u00e4ssword '), await signIn('p\u00e4ssword')], [200, 401])
    })

    await t.test('a token that has expired, and one of a disabled account, are refused at once', async () => {
      const ada = await addMember(database)
      const eve = await addMember(database)
      await database.pool.query('update login_token set expires_at = clock_timestamp() where account_id = $1', [ada.user.id])
      await database.pool.query('update account set disabled_at = clock_timestamp() where id = $1', [eve.user.id])
      for (const { token } of [ada, eve]) {
        const { status, error } = await send(url, 'GET /api/user', { token })
        assert.deepEqual([status, error?.statusMessage], [401, 'invalid_or_expired_login_token'])
      }
    })
  })
}
