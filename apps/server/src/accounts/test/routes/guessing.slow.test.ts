import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import type { ErrorBody } from '../../../../test/support/call.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { send } from '../../../../test/support/json-call.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import { addMember } from '../../../../test/support/shared-server-on.ts'
import { guess, takeAttempt } from '../../throttle.ts'

const signIn = (url: string, email: string, password: string, address: string) =>
  send<ErrorBody>(url, 'POST /api/auth/sign-in', { body: { email, password }, headers: { 'x-forwarded-for': address } })

for (const target of TARGETS) {
  const { name, skip } = target

  test(`${name}: many sign-ins at once`, { skip: skip || skipByDay }, async (t) => {
    const { server, database, another } = await serverOn(target, t, { TRUSTED_PROXIES: 'loopback' })
    const { url } = server

    await t.test('of thirty right passwords at once for one account, on two servers, none is refused', async () => {
      const { email, password } = await addMember(database)
      for (let n = 0; n < 9; n++) await takeAttempt(database.kysely, guess(email, '192.0.2.8', false))
      const other = await another()
      const urls = Array.from({ length: 30 }, (_, n) => (n % 2 === 0 ? url : other.url))
      const answers = await Promise.all(urls.map((each) => signIn(each, email, password, '192.0.2.8')))
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(30).fill(200),
      )
    })

    await t.test('a hundred sign-ins at once delay no other call, and none is refused', async () => {
      const people = await Promise.all(Array.from({ length: 10 }, () => addMember(database)))
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
