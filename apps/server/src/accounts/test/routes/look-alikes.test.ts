import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openServerDatabase } from '../../../../test/support/accounts.ts'
import { send } from '../../../../test/support/json-call.ts'
import type { SignedIn } from '../../../../test/support/person.ts'
import { type SharedServer, shareServer } from '../../../../test/support/shared-server.ts'
import { addMember, type Member } from '../../../../test/support/shared-server-on.ts'
import type { Database } from '../../../database/database.ts'
import { passwords } from '../../passwords.ts'

/** Passwords that are guessed first, and addresses and names that look like others. */

let server: SharedServer
let administrator: string
let database: Database
let person: Member
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
  person = await addMember(database)
  const { user, token } = await addMember(database)
  await database.pool.query(`update account set role = 'admin' where id = $1`, [user.id])
  administrator = token
})
after(async () => {
  await database?.close()
  await server?.[Symbol.asyncDispose]()
})

const signIn = (email: string, password: string) =>
  send<SignedIn>(server.url, 'POST /api/auth/sign-in', { body: { email, password } })

/** An account as an earlier version kept it. */
async function earlierAccount(email: string, password: string): Promise<void> {
  const hash = await passwords(() => {}).hash(password)
  await database.kysely.insertInto('account').values({ email, name: '', password_hash: hash, plan: 'free' }).execute()
}

for (const password of ['password', 'Password123!', 'aaaaaaaaaa', '12345678', 'ｌｅｔｍｅｉｎ１']) {
  test(`${password} is refused at sign-up, change and reset, and does not count as a wrong password`, async () => {
    const change = { password, currentPassword: person.password }
    const account = { email: 'new@example.com', password }
    const askedAnswers = [
      await send(server.url, 'POST /api/auth/sign-up', { body: account }),
      await send(server.url, 'PATCH /api/user', { body: change, token: person.token }),
      await send(server.url, `PATCH /api/admin/users/${person.user.id}`, { body: { password }, token: administrator }),
      await send(server.url, 'POST /api/admin/users', { body: account, token: administrator }),
    ]
    for (const { status, error } of askedAnswers) {
      assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'])
      assert.deepEqual(
        error?.issues?.map(({ path }) => path),
        [['password']],
      )
      assert.match(error?.issues?.[0]?.message ?? '', /most common|repeat|sequence/)
    }
    assert.equal((await signIn(person.email, person.password)).status, 200)
  })
}

test('an account whose password was common before that is signed in', async () => {
  await earlierAccount('old@example.com', 'password')
  assert.equal((await signIn('old@example.com', 'password')).status, 200)
})

test('an address in full-width letters is the same as in ASCII', async () => {
  const madeAnswer = await send<SignedIn>(server.url, 'POST /api/auth/sign-up', {
    body: { email: 'ｖｅｒａ@example.com', password: person.password },
  })
  assert.equal(madeAnswer.body.user.email, 'vera@example.com')
  const again = await send(server.url, 'POST /api/auth/sign-up', {
    body: { email: 'vera@ｅｘａｍｐｌｅ.com', password: person.password },
  })
  assert.deepEqual([again.status, again.error?.statusMessage], [409, 'email_taken'])
  assert.equal((await signIn('ＶＥＲＡ@example.com', person.password)).status, 200)
})

test('an account that was stored in full-width letters signs in by that spelling, beside the account in ASCII', async () => {
  await earlierAccount('ｏｌｇａ@example.com', 'the older horse')
  assert.equal((await signIn('ｏｌｇａ@example.com', 'the older horse')).body.user.email, 'ｏｌｇａ@example.com')
  const other = { email: 'olga@example.com', password: 'the newer horse' }
  assert.equal((await send(server.url, 'POST /api/auth/sign-up', { body: other })).status, 201)
  assert.equal((await signIn('ｏｌｇａ@example.com', 'the older horse')).body.user.email, 'ｏｌｇａ@example.com')
  assert.equal((await signIn('ｏｌｇａ@example.com', 'the newer horse')).status, 401)
  assert.equal((await signIn('olga@example.com', 'the newer horse')).body.user.email, 'olga@example.com')
})

test('wrong passwords of all spellings of an address are counted together', async () => {
  const letters = [...'abcdefghijkl'].map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0))
  const spellings = letters.map(
    (letter, at) => `${'abcdefghijkl'.slice(0, at)}${letter}${'abcdefghijkl'.slice(at + 1)}@example.com`,
  )
  const statuses = []
  for (const email of spellings) statuses.push((await signIn(email, 'no horse at all')).status)
  assert.deepEqual(statuses, [...Array(10).fill(401), 429, 429])
})

for (const [what, name, isTaken] of [
  ['a control character', 'a\u0007b', false],
  ['a line separator', 'a\u2028b', false],
  ['a zero-width space', 'pro\u200bduction', false],
  ['a zero-width joiner', 'pro\u200dduction', false],
  ['a word joiner', 'pro\u2060duction', false],
  ['a byte order mark', '\ufeffproduction', false],
  ['a soft hyphen', 'pro\u00adduction', false],
  ['a turned direction', 'a\u202eb', false],
  ['an isolated direction', 'a\u2066b', false],
  ['a mark of direction', 'a\u200fb', false],
  ['an invisible tag', 'a\u{e0041}b', false],
  ['letters of the world', 'Schlüssel für 写真 مفتاح', true],
] as const) {
  test(`the name of a key with ${what} is ${isTaken ? 'accepted' : 'refused'}`, async () => {
    const madeAnswer = await send(server.url, 'POST /api/user/api-keys', { body: { name }, token: person.token })
    assert.equal(madeAnswer.status, isTaken ? 201 : 400)
    if (!isTaken)
      assert.deepEqual(
        madeAnswer.error?.issues?.map(({ path }) => path),
        [['name']],
      )
  })
}

test('the name of a user may have joiners, and no marks that change the text direction', async () => {
  const namedEntry = (name: string) => send(server.url, 'PATCH /api/user', { body: { name }, token: person.token })
  assert.equal((await namedEntry('علی\u200cرضا 👩\u200d💻')).status, 200)
  assert.equal((await namedEntry('Ada\u202egnp')).status, 400)
})
