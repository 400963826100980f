import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { keyVault, maskKey, parseKeySecrets, SavedKeyError } from '../../key-vault.ts'

const API_KEY = 'sk-proj-ключ-0123456789abcdef1234'
const first = 'first:a passphrase of ours'
const second = 'second:bm90IHJlYWxseSByYW5kb20gYnV0IGxvbmc='
const vaultOf = (...secrets: readonly string[]) => keyVault(parseKeySecrets(secrets.join(',')))
const vault = vaultOf(first)

test('a key is decrypted for its account, is encrypted differently each time, and is not visible', () => {
  const one = vault.encrypt('7', API_KEY)
  const other = vault.encrypt('7', API_KEY)
  assert.notEqual(one, other)
  assert.deepEqual(
    [one, other].map((savedText) => vault.decrypt('7', savedText)),
    [API_KEY, API_KEY],
  )
  assert.match(one, /^v1\.first\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/)
  assert.ok(!one.includes(Buffer.from(API_KEY).toString('base64url').slice(0, 12)))
  assert.equal(vault.decrypt('7', vault.encrypt('7', '')), '')
})

test('an encrypted key cannot be decrypted for another account', () => {
  const savedText = vault.encrypt('7', API_KEY)
  for (const account of ['8', '', '77', '7"]']) assert.throws(() => vault.decrypt(account, savedText), SavedKeyError)
})

test('a single changed bit is detected at any place', () => {
  const parts = vault.encrypt('7', API_KEY).split('.')
  let changedCount = 0
  for (const index of [2, 3, 4]) {
    const bytes = Buffer.from(parts[index] ?? '', 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const damagedBytes = Buffer.from(bytes)
      damagedBytes[bit >> 3] = (damagedBytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      assert.throws(() => vault.decrypt('7', parts.with(index, damagedBytes.toString('base64url')).join('.')), SavedKeyError)
      changedCount++
    }
  }
  assert.ok(changedCount > 400)
})

test('what has another form is refused: shortened tags, parts too many or too few, other versions', () => {
  const parts = vault.encrypt('7', API_KEY).split('.')
  const [, , nonce = '', encryptedText = '', tag = ''] = parts
  const forms = [
    parts.with(4, tag.slice(0, 16)),
    parts.with(4, ''),
    parts.slice(0, 4),
    [...parts, ''],
    parts.with(0, 'v2'),
    ['v1', 'first', '', encryptedText, tag],
    ['v1', 'first', nonce, '', tag],
    ['v1', '', nonce, encryptedText, tag],
    [''],
  ]
  for (const form of forms) assert.throws(() => vault.decrypt('7', form.join('.')), SavedKeyError, form.join('.'))
})

test('secrets are rotated: the first encrypts, all decrypt, and one that was removed decrypts no more', () => {
  const old = vault.encrypt('7', API_KEY)
  const both = vaultOf(second, first)
  assert.deepEqual([both.decrypt('7', old), old.startsWith(both.newest)], [API_KEY, false])
  const renewedText = both.encrypt('7', both.decrypt('7', old))
  assert.deepEqual([renewedText.split('.')[1], renewedText.startsWith(both.newest)], ['second', true])
  const after = vaultOf(second)
  assert.equal(after.decrypt('7', renewedText), API_KEY)
  assert.throws(() => after.decrypt('7', old), { name: 'SavedKeyError', message: 'no secret has its id' })
  assert.throws(() => both.decrypt('7', old.replace('first', 'second')), { message: 'not authentic' })
  // The same id with another secret is a mistake that must not go unnoticed.
  assert.throws(() => vaultOf('first:another passphrase').decrypt('7', old), { message: 'not authentic' })
})

test('a secret alone has the id 1, and can be followed by another', () => {
  const savedText = vaultOf('a passphrase of ours').encrypt('7', API_KEY)
  assert.equal(vaultOf(second, '1:a passphrase of ours').decrypt('7', savedText), API_KEY)
})

const unreadable = [
  'short',
  '1:short',
  'first:a passphrase of ours,',
  `${first},second:short`,
  `${first},${first}`,
  ', ,',
  'id: ',
]
for (const text of unreadable)
  test(`the secrets "${text}" are refused, and not repeated`, () => {
    assert.throws(
      () => parseKeySecrets(text),
      ({ message }: Error) => /^must /.test(message) && !/short|passphrase/.test(message),
    )
  })

test('a vault shows no secret when it is printed', () => {
  assert.doesNotMatch(inspect(vaultOf(first), { depth: 10, showHidden: true }), /passphrase/)
})

const masks: readonly (readonly [key: string, mask: string])[] = [
  ['sk-proj-abcdefghijklmnop1234', 'sk-pro********1234'],
  ['sk-proj-abcdefgh1234', 'sk-pro********1234'],
  ['sk-proj-abcdefg1234', '********'],
  ['key', '********'],
  ['', '********'],
]
for (const [key, mask] of masks)
  test(`"${key}" is shown as ${mask}`, () => {
    assert.equal(maskKey(key), mask)
  })
