import assert from 'node:assert/strict'
import { test } from 'node:test'
import { phcOf } from '../../../test/support/phc.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { newPassword } from '../password-text.ts'
import { isOutdated, passwords } from '../passwords.ts'

test('a hash is of its password only, salted, and at the cost of today', async () => {
  const { hash, verify } = passwords(() => {})
  const one = await hash('correct horse')
  const two = await hash('correct horse')
  assert.notEqual(one, two)
  assert.match(one, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal(await verify('correct horse', one), true)
  assert.equal(await verify('correct horse ', one), false)
  assert.equal(isOutdated(one), false)
})

test('a hash of another cost is checked at its own, and is outdated', async () => {
  const { verify } = passwords(() => {})
  const weak = phcOf('correct horse', 64)
  assert.equal(await verify('correct horse', weak), true)
  assert.equal(await verify('wrong', weak), false)
  assert.equal(isOutdated(weak), true)
})

test('no hash, or one that is none, is one derivation and false', async () => {
  let derivations = 0
  const { verify } = passwords(() => derivations++)
  for (const phc of [undefined, '-', '', '$argon2id$v=19$m=19456,t=2,p=1$$']) assert.equal(await verify('', phc), false)
  assert.equal(derivations, 4)
})

test('two derivations at once, 224 of one network wait and 256 of all, more are refused, and the line moves on', async () => {
  let begunCount = 0
  const { verify } = passwords(() => begunCount++)
  const cheap = phcOf('correct horse', 8)
  const all = Array.from({ length: 300 }, () => verify('correct horse', cheap, '192.0.2.1'))
  await Promise.resolve()
  assert.equal(begunCount, 2)
  const another = verify('correct horse', cheap, '192.0.2.2')
  const ends = await Promise.allSettled(all)
  assert.equal(ends.filter((end) => end.status === 'fulfilled' && end.value).length, 2 + 224)
  assert.ok(await another)
  for (const end of ends) {
    if (end.status === 'rejected') assert.ok(isRefusal(end.reason) && end.reason.code === 'server_busy')
  }
  assert.equal(await verify('correct horse', cheap), true)
})

const lengths: readonly (readonly [password: string, fault: RegExp | undefined])[] = [
  ['1234567', /at least 8/],
  ['k3%wq7Zb', undefined],
  ['  a b  c', undefined],
  ['😀'.repeat(7), /at least 8/],
  ['😀🐎🔋🖇🌍🎈🍏🧊', undefined],
  [`y${'x'.repeat(254)}z`, undefined],
  ['x'.repeat(257), /at most 256/],
  ['x'.repeat(1_000), /at most 256/],
]
for (const [password, fault] of lengths) {
  test(`a password of ${[...password].length} characters (${password.slice(0, 8)}…) is ${fault ? 'refused' : 'taken'}`, () => {
    const { success, error } = newPassword.safeParse(password)
    assert.equal(success, fault === undefined)
    if (fault) assert.match(error?.issues[0]?.message ?? '', fault)
  })
}

test('a password is the same however a keyboard writes it, and its spaces are its own', () => {
  assert.equal(newPassword.parse('pa\u0308sswo\ufb01rd'), newPassword.parse('p\u00e4sswofird'))
  assert.equal(newPassword.parse(' password '), ' password ')
})
