import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { caller, type ErrorBody } from '../../../../test/support/call.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { newAddress, type SignedIn } from '../../../../test/support/person.ts'
import { readMetric } from '../../../../test/support/read-metric.ts'
import { addMember, sharedServerOn } from '../../../../test/support/shared-server-on.ts'
import { guess, takeAttempt } from '../../throttle.ts'

/** A trusted proxy tells the clients of these tests apart. sessions.test.ts has the same settings, so that both share a server. */
const SETTINGS = { RENDERERS: '1', TRUSTED_PROXIES: 'loopback', SIGN_UPS_PER_HOUR: '3', DEFAULT_PLAN: 'team' } as const
const from = (address: string) => ({ 'x-forwarded-for': address })

const signIn = (url: string, email: string, password: string, address: string) =>
  send<ErrorBody>(url, 'POST /api/auth/sign-in', { body: { email, password }, headers: from(address) })

/** Passwords hashed or checked by this server so far. */
const derivations = async (url: string): Promise<number> => Number(await readMetric({ url }, 'password_derivations_total'))

const withoutId = ({ requestId, ...rest }: ErrorBody) => rest

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: guessing passwords and addresses`, { skip }, async (t) => {
    const { server, database } = await sharedServerOn(target, t, SETTINGS)
    const { url } = server
    /** Counts wrong passwords as if they had been sent. */
    async function count(times: number, email: string, address: string, isKnownHere = false): Promise<void> {
      for (let n = 0; n < times; n++) await takeAttempt(database.kysely, guess(email, address, isKnownHere))
    }
    /** As if a network had sent 100 wrong passwords for one account each, or an account had got one from 100 networks. */
    async function countHundred(email: string, address: string, which: 'signInFrom' | 'signInAs'): Promise<void> {
      const [, ofNetwork, ofAccount] = guess(email, address, false)
      await count(1, email, address)
      const countedValue = (which === 'signInFrom' ? ofNetwork : ofAccount) ?? assert.fail()
      await database.pool.query('update throttle set hits = array_fill(clock_timestamp(), array[100]) where key = $1', [
        countedValue.key,
      ])
    }

    await t.test(
      'an unknown address, a wrong password and a disabled account get the same answer after the same work',
      async () => {
        const ada = await addMember(database)
        const eve = await addMember(database)
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
          answers.push({ status, body: withoutId(body), headers: others, work: (await derivations(url)) - before })
        }
        assert.equal(answers[0]?.body.statusMessage, 'invalid_credentials')
        assert.equal(answers[0]?.work, 1)
        for (const answer of answers) assert.deepEqual(answer, answers[0])
      },
    )

    await t.test('ten wrong passwords are checked, also of many at once, for a known address and an unknown one', async () => {
      const { email } = await addMember(database)
      for (const [address, countedCount] of [
        [email, 0],
        [newAddress(), 8],
      ] as const) {
        await count(countedCount, address, '192.0.2.2')
        const before = await derivations(url)
        const answers = await Promise.all(Array.from({ length: 16 }, (_, n) => signIn(url, address, `guess ${n}`, '192.0.2.2')))
        assert.equal(answers.filter(({ status }) => status === 401).length, 10 - countedCount)
        const refusedAnswers = answers.filter(({ status }) => status === 429)
        assert.equal(refusedAnswers.length, 6 + countedCount)
        for (const { body, headers } of refusedAnswers) {
          assert.equal(body.statusMessage, 'rate_limited')
          assert.ok(Number(headers.get('retry-after')) > 880 && Number(headers.get('retry-after')) <= 900)
        }
        assert.equal((await derivations(url)) - before, 10 - countedCount)
      }
      const right = await signIn(url, email, 'correct horse', '192.0.2.2')
      assert.equal(right.status, 429, 'the right password is not checked either')
      assert.equal((await signIn(url, email, 'correct horse', '192.0.2.3')).status, 200, 'another network is not limited')
    })

    await t.test('of many right passwords at once for one account none is refused', async () => {
      const { email, password } = await addMember(database)
      await count(9, email, '192.0.2.8')
      const answers = await Promise.all(Array.from({ length: 12 }, () => signIn(url, email, password, '192.0.2.8')))
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(12).fill(200),
      )
    })

    await t.test('a right password resets the count of wrong ones', async () => {
      const { email, password } = await addMember(database)
      for (let round = 0; round < 3; round++) {
        await count(8, email, '192.0.2.4', round > 0)
        assert.equal((await signIn(url, email, 'wrong', '192.0.2.4')).status, 401)
        assert.equal((await signIn(url, email, password, '192.0.2.4')).status, 200)
      }
    })

    await t.test('the addresses of one IPv6 network are counted together', async () => {
      const { email } = await addMember(database)
      await count(8, email, '2001:db8:0:1::ffff')
      const answers = []
      for (let n = 1; n <= 3; n++) answers.push((await signIn(url, email, 'wrong', `2001:db8:0:1::${n}`)).status)
      assert.deepEqual(answers, [401, 401, 429])
    })

    await t.test('a session that was left open cannot be used to guess the password', async () => {
      const { email, token, password } = await addMember(database)
      const change = (currentPassword: string) =>
        send(url, 'PATCH /api/user', { token, body: { password: 'another horse', currentPassword }, headers: from('192.0.2.5') })
      await count(7, email, '192.0.2.5')
      const answers = []
      for (let n = 0; n < 4; n++) answers.push((await change(`guess ${n}`)).status)
      assert.deepEqual(answers, [401, 401, 401, 429])
      assert.equal((await change(password)).status, 429)
    })

    await t.test(
      'an account that has signed in from a network before is not refused for the guesses of other clients',
      async () => {
        const network = '192.0.2.9'
        const elsewhere = '192.0.2.10'
        const ada = await addMember(database)
        const eve = await addMember(database)
        assert.equal((await signIn(url, ada.email, ada.password, network)).status, 200)
        await countHundred(newAddress(), network, 'signInFrom')
        await countHundred(ada.email, '198.51.100.1', 'signInAs')
        assert.equal((await signIn(url, eve.email, eve.password, network)).status, 429)
        assert.equal((await signIn(url, ada.email, ada.password, elsewhere)).status, 429)
        assert.equal((await signIn(url, ada.email, ada.password, network)).status, 200)
        const guesses = await Promise.all(Array.from({ length: 14 }, (_, n) => signIn(url, ada.email, `guess ${n}`, network)))
        assert.equal(guesses.filter(({ status }) => status === 401).length, 10)
      },
    )

    await t.test('SIGN_UPS_PER_HOUR limits the sign-ups and the changes of address of one network', async () => {
      const signUp = (address: string) =>
        send<SignedIn>(url, 'POST /api/auth/sign-up', {
          body: { email: newAddress(), password: 'correct horse' },
          headers: from(address),
        })
      const signUps = []
      for (let n = 0; n < 4; n++) signUps.push(await signUp('192.0.2.11'))
      assert.deepEqual(
        signUps.map(({ status }) => status),
        [201, 201, 201, 429],
      )
      assert.ok(Number(signUps.at(-1)?.headers.get('retry-after')) > 3500)

      const { token, password: currentPassword } = await addMember(database)
      const change = () =>
        send(url, 'PATCH /api/user', { token, body: { email: newAddress(), currentPassword }, headers: from('192.0.2.6') })
      assert.equal((await change()).status, 200)
      for (let n = 0; n < 2; n++) assert.equal((await signUp('192.0.2.6')).status, 201)
      assert.deepEqual([(await change()).status, (await signUp('192.0.2.6')).status], [429, 429])
      assert.equal((await signUp('192.0.2.7')).status, 201)
    })

    await t.test('DEFAULT_PLAN is the plan of those who sign up', async () => {
      const body = { email: newAddress(), password: 'correct horse' }
      const { token, user } = (await send<SignedIn>(url, 'POST /api/auth/sign-up', { body, headers: from('192.0.2.12') })).body
      assert.equal(user.plan, 'team')
      const madeAnswer = await send<{ readonly key: string }>(url, 'POST /api/user/api-keys', { token, body: { name: 'laptop' } })
      const image = await solid(8, 8, '#123456').png().toBuffer()
      const { status, error } = await caller({ url, key: madeAnswer.body.key }).post('convert', {}, { image })
      assert.deepEqual([status, error?.statusMessage], [200, undefined])
    })
  })
}
