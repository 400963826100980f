import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guess, takeAttempt } from '../../src/accounts/throttle.ts'
import { TARGETS } from '../database/targets.ts'
import type { ErrorBody } from '../support/call.ts'
import { send } from '../support/json-call.ts'
import { newAddress, signUp } from '../support/person.ts'
import { readMetric } from '../support/read-metric.ts'
import { startServer } from '../support/server.ts'
import { serverOn } from '../support/server-on.ts'

/** The clients of these tests are told apart by a proxy that is trusted. */
const PROXIED = { TRUSTED_PROXIES: 'loopback' } as const
const from = (address: string) => ({ 'x-forwarded-for': address })

const signIn = (url: string, email: string, password: string, address: string) =>
  send<ErrorBody>(url, 'POST /api/auth/sign-in', { body: { email, password }, headers: from(address) })

/** Passwords hashed or checked by this server so far. */
const derivations = async (url: string): Promise<number> => Number(await readMetric({ url }, 'password_derivations_total'))

const told = ({ requestId, ...rest }: ErrorBody) => rest

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: guessing passwords and addresses`, { skip }, async (t) => {
    const { server, database, another } = await serverOn(target, t, PROXIED)
    const { url } = server

    await t.test('unknown, wrong and disabled are the same answer and the same work', async () => {
      const [ada, eve] = [await signUp(url), await signUp(url)]
      await database.pool.query('update account set disabled_at = clock_timestamp() where id = $1', [eve.user.id])
      const tries = [
        [ada.email, 'wrong'],
        [newAddress(), 'wrong'],
        [eve.email, eve.password],
        [eve.email, 'wrong'],
      ] as const
      const answers = []
      for (const [email, password] of tries) {
        const before = await derivations(url)
        const { status, body, headers } = await signIn(url, email, password, '192.0.2.1')
        const { date, 'x-request-id': id, ...others } = Object.fromEntries(headers)
        answers.push({ status, body: told(body), headers: others, work: (await derivations(url)) - before })
      }
      assert.equal(answers[0]?.body.statusMessage, 'invalid_credentials')
      assert.equal(answers[0]?.work, 1)
      for (const answer of answers) assert.deepEqual(answer, answers[0])
    })

    await t.test('of fifty wrong passwords at once ten are checked, for a known address and an unknown one', async () => {
      const { email } = await signUp(url)
      for (const who of [email, newAddress()]) {
        const before = await derivations(url)
        const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => signIn(url, who, `guess ${n}`, '192.0.2.2')))
        assert.equal(answers.filter(({ status }) => status === 401).length, 10)
        const refused = answers.filter(({ status }) => status === 429)
        assert.equal(refused.length, 40)
        for (const { body, headers } of refused) {
          assert.equal(body.statusMessage, 'rate_limited')
          assert.ok(Number(headers.get('retry-after')) > 880 && Number(headers.get('retry-after')) <= 900)
        }
        assert.equal((await derivations(url)) - before, 10)
      }
      const right = await signIn(url, email, 'correct horse', '192.0.2.2')
      assert.equal(right.status, 429, 'not even the right one is looked at')
      assert.equal((await signIn(url, email, 'correct horse', '192.0.2.3')).status, 200, 'its owner is elsewhere')
    })

    await t.test('of fifty right passwords at once for one account none is refused, on two servers', async () => {
      const { email, password } = await signUp(url)
      for (let n = 0; n < 9; n++) assert.equal((await signIn(url, email, 'wrong', '192.0.2.8')).status, 401)
      const other = await another()
      const urls = Array.from({ length: 50 }, (_, n) => (n % 2 === 0 ? url : other.url))
      const answers = await Promise.all(urls.map((each) => signIn(each, email, password, '192.0.2.8')))
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(50).fill(200),
      )
    })

    await t.test('a right password forgives the errors before it', async () => {
      const { email, password } = await signUp(url)
      for (let round = 0; round < 3; round++) {
        for (let n = 0; n < 9; n++) assert.equal((await signIn(url, email, 'wrong', '192.0.2.4')).status, 401)
        assert.equal((await signIn(url, email, password, '192.0.2.4')).status, 200)
      }
    })

    await t.test('one network of IPv6 is one guesser, however many addresses it has', async () => {
      const { email } = await signUp(url)
      const answers = []
      for (let n = 1; n <= 11; n++) answers.push((await signIn(url, email, 'wrong', `2001:db8:0:1::${n}`)).status)
      assert.deepEqual(answers, [...Array.from({ length: 10 }, () => 401), 429])
    })

    await t.test('a session that was left open cannot be used to guess the password', async () => {
      const { token, password } = await signUp(url)
      const change = (currentPassword: string) =>
        send(url, 'PATCH /api/user', { token, body: { password: 'another horse', currentPassword }, headers: from('192.0.2.5') })
      const answers = []
      for (let n = 0; n < 11; n++) answers.push((await change(`guess ${n}`)).status)
      assert.deepEqual(answers, [...Array.from({ length: 10 }, () => 401), 429])
      assert.equal((await change(password)).status, 429)
    })

    await t.test('who was here before is let in where others have used up all guesses, here or for this account', async () => {
      const [network, elsewhere] = ['192.0.2.9', '192.0.2.10']
      const [ada, eve] = [await signUp(url), await signUp(url)]
      assert.equal((await signIn(url, ada.email, ada.password, network)).status, 200)
      // As if 100 others had been wrong here, and 100 elsewhere about her.
      for (let n = 0; n < 100; n++) {
        await takeAttempt(database.kysely, guess(newAddress(), network, false))
        await takeAttempt(database.kysely, guess(ada.email, `198.51.100.${n}`, false))
      }
      assert.equal((await signIn(url, eve.email, eve.password, network)).status, 429)
      assert.equal((await signIn(url, ada.email, ada.password, elsewhere)).status, 429)
      assert.equal((await signIn(url, ada.email, ada.password, network)).status, 200)
      const guesses = await Promise.all(Array.from({ length: 50 }, (_, n) => signIn(url, ada.email, `guess ${n}`, network)))
      assert.equal(guesses.filter(({ status }) => status === 401).length, 10)
    })

    await t.test('a changed address is asked for as rarely as a new one', async () => {
      const { token, password: currentPassword } = await signUp(url)
      const headers = from('192.0.2.6')
      await database.pool.query('delete from throttle')
      const first = { email: newAddress(), currentPassword }
      assert.equal((await send(url, 'PATCH /api/user', { token, body: first, headers })).status, 200)
      // As if this network had tried 200 in the last hour.
      await database.pool.query(
        'update throttle set hits = array_fill(clock_timestamp(), array[200]) where cardinality(hits) = 1',
      )
      const second = { email: newAddress(), currentPassword }
      assert.equal((await send(url, 'PATCH /api/user', { token, body: second, headers })).status, 429)
      const fresh = { email: newAddress(), password: 'correct horse' }
      assert.equal((await send(url, 'POST /api/auth/sign-up', { body: fresh, headers })).status, 429)
      assert.equal((await send(url, 'POST /api/auth/sign-up', { body: fresh, headers: from('192.0.2.7') })).status, 201)
    })

    await t.test('a hundred sign-ins at once hold up nothing else, and none is refused', async () => {
      const people = await Promise.all(Array.from({ length: 10 }, () => signUp(url)))
      const all = people.flatMap(({ email, password }, n) =>
        Array.from({ length: 10 }, (_, m) => signIn(url, email, password, `198.51.${n}.${m}`)),
      )
      const healthy = await fetch(`${url}/healthz`)
      assert.equal(healthy.status, 200)
      const statuses = (await Promise.all(all)).map(({ status }) => status)
      assert.deepEqual(
        statuses,
        Array.from({ length: 100 }, () => 200),
      )
    })
  })
}

test('without a trusted proxy, X-Forwarded-For is a word of the client', async () => {
  await using server = await startServer({ RENDERERS: '1' })
  const email = newAddress()
  const answers = []
  for (let n = 1; n <= 11; n++) answers.push((await signIn(server.url, email, 'wrong', `192.0.2.${n}`)).status)
  assert.deepEqual(answers, [...Array.from({ length: 10 }, () => 401), 429])
})

test('SIGN_UPS_PER_HOUR is how many one network may make', async () => {
  await using server = await startServer({ RENDERERS: '1', SIGN_UPS_PER_HOUR: '2' })
  const signUps = []
  for (let n = 0; n < 3; n++)
    signUps.push(await send(server.url, 'POST /api/auth/sign-up', { body: { email: newAddress(), password: 'correct horse' } }))
  assert.deepEqual(
    signUps.map(({ status }) => status),
    [201, 201, 429],
  )
  assert.ok(Number(signUps[2]?.headers.get('retry-after')) > 3500)
})
