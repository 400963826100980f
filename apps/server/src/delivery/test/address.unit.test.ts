import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { isRefusal } from '../../contract/api-error.ts'
import { encodedQuery, isSigned, readAddress, requireInTime, segmentsOf, signatureOf, signText } from '../address.ts'

const secret = randomBytes(32)

test('the parts of a URL, the signature last', () => {
  const text = '/i/shop/a%20b/c.jpg?w=400&f=auto'
  assert.deepEqual(readAddress(signText(text, secret)), {
    source: 'shop',
    path: 'a%20b/c.jpg',
    query: 'w=400&f=auto',
    signedText: text,
    signature: createHmac('sha256', secret).update(text).digest('base64url').slice(0, 22),
  })
  assert.deepEqual(readAddress('/i/shop/c.jpg?s=AAAA'), {
    source: 'shop',
    path: 'c.jpg',
    query: '',
    signedText: '/i/shop/c.jpg',
    signature: 'AAAA',
  })
  // A signature that is not last is a parameter, which is unknown.
  assert.deepEqual(readAddress('/i/shop/c.jpg?s=AAAA&w=4')?.query, 's=AAAA&w=4')
})

for (const url of ['/i/', '/i/shop', '/i/shop/', '/i/Shop/a.jpg', '/i//a.jpg', '/i/-a/b', `/i/${'a'.repeat(49)}/b`, '/i/a/b#c'])
  test(`no address: ${url.slice(0, 20)}`, () => assert.equal(readAddress(url), undefined))

test('a signature is of one text and one secret, and either of two secrets', () => {
  const address = readAddress(signText('/i/shop/a.jpg?w=1', secret)) ?? assert.fail()
  assert.ok(isSigned(address, [secret]))
  assert.ok(isSigned(address, [randomBytes(32), secret]))
  assert.ok(!isSigned(address, [randomBytes(32)]))
  assert.ok(!isSigned(address, []))
  assert.ok(!isSigned({ ...address, signedText: '/i/shop/a.jpg?w=2' }, [secret]))
  for (const signature of [undefined, '', 'é'.repeat(22), 'A'.repeat(22), `${address.signature}A`])
    assert.ok(!isSigned({ ...address, signature }, [secret]), String(signature))
  assert.equal(signatureOf('/i/shop/a.jpg?w=1', secret).length, 22)
})

test('segments are decoded', () => {
  assert.deepEqual(segmentsOf('a%20b/%C3%A9/c.jpg'), ['a b', 'é', 'c.jpg'])
  assert.deepEqual(segmentsOf('a..b/c...jpg'), ['a..b', 'c...jpg'])
})

const unsafe = [
  '..',
  '../a',
  'a/..',
  'a/../b',
  '%2e%2e/a',
  '.',
  './a',
  '.hidden',
  'a/.git/config',
  '%2ehidden',
  '',
  '/a',
  'a//b',
  'a/',
  'a%2fb',
  'a%2Fb',
  'a%5cb',
  'a\\b',
  'a%00b',
  'a%0ab',
  'a%7fb',
  '%c2%85',
  '%',
  '%zz',
  '%ff',
  '%c3',
  '%ed%a0%80',
  'a'.repeat(1_025),
  'é'.repeat(513),
]
for (const path of unsafe)
  test(`unsafe: ${path.slice(0, 20)}`, () =>
    assert.throws(
      () => segmentsOf(path),
      (error) => isRefusal(error) && error.issues?.[0]?.path[0] === 'path',
    ))

test('a query is encoded where no URL could have it', () => {
  assert.equal(encodedQuery('w=5&bg=%23fff&t=a b#c\u00e9\ud800'), 'w=5&bg=%23fff&t=a%20b%23c%C3%A9%EF%BF%BD')
})

test('a URL is valid up to its second, and not a millisecond longer', () => {
  const expires = 1_800_000_000
  assert.doesNotThrow(() => requireInTime(expires, expires * 1000 - 1))
  for (const now of [expires * 1000, expires * 1000 + 1])
    assert.throws(() => requireInTime(expires, now), { code: 'invalid_signature' })
  assert.doesNotThrow(() => requireInTime(undefined, Number.MAX_SAFE_INTEGER))
})
