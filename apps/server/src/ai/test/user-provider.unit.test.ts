import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseBody } from '@pixelmill/codecs/contract/parse'
import { z } from 'zod'
import { isRefusal } from '../../contract/api-error.ts'
import { userProvider } from '../provider.ts'

const body = z.object({ userProvider: userProvider.optional() })
const good = { baseUrl: 'https://api.example.com/v1', model: 'vl', apiKey: 'sk-1' }
const { apiKey, ...keyless } = good

const acceptedValues: readonly Readonly<Record<string, unknown>>[] = [
  good,
  { ...keyless, useAccountKey: true },
  { ...good, useAccountKey: false },
  { ...good, useAccountKey: true },
  { ...good, baseUrl: 'http://127.0.0.1:11434/v1' },
  { ...good, baseUrl: 'https://my.openai.azure.com/openai/v1/?api-version=2024-10-21' },
  { ...good, baseUrl: 'HTTPS://bücher.example/v1', model: 'qwen2.5 vl:7b/Größe' },
  { ...good, baseUrl: `https://e.com/${'a'.repeat(2_034)}`, model: 'm'.repeat(200), apiKey: '~'.repeat(1_000) },
]
for (const givenValue of acceptedValues)
  test(`${JSON.stringify(givenValue).slice(0, 90)} is taken as it is`, () => {
    assert.deepEqual(parseBody(body, { userProvider: givenValue }).userProvider, givenValue)
  })

const refusedTexts: readonly (readonly [what: string, given: unknown, ...fields: string[]])[] = [
  ['nothing', {}, 'baseUrl', 'model', 'apiKey'],
  ['a text', 'https://api.example.com'],
  ['a list', [good]],
  ['neither key', keyless, 'apiKey'],
  ['neither key, and false', { ...keyless, useAccountKey: false }, 'apiKey'],
  ['faults everywhere', { baseUrl: 'x', model: '', useAccountKey: 'true' }, 'baseUrl', 'model', 'useAccountKey', 'apiKey'],
  ...['sk-1\r\nx-admin: 1', 'sk-1\n', ' sk-1', 'sk 1', 'sk-ключ', 'sk-\u00a01', 'sk-\0', '', 'k'.repeat(1_001), 5].map(
    (apiKey) => [`the key ${JSON.stringify(apiKey).slice(0, 30)}`, { ...good, apiKey }, 'apiKey'] as const,
  ),
  ...['', 'api.example.com/v1', '//api.example.com', 'ftp://e.com', 'file:///etc/passwd', 'http://', 'http:///', 7]
    .concat('http:e.com', 'http://u@e.com', 'http://u:p@e.com', 'http://:p@e.com', ' https://e.com', 'https://e.com/a b')
    .concat('https://e.com/\n', 'http://[::1%25lo]/', 'javascript:alert(1)', `https://e.com/${'a'.repeat(2_035)}`)
    .map((baseUrl) => [`the address ${JSON.stringify(baseUrl).slice(0, 30)}`, { ...good, baseUrl }, 'baseUrl'] as const),
  ...['', ' ', 'a\nb', ' vl', 'vl ', 'v\u202el', 'v\u200bl', '\ud800', 'm'.repeat(201), null].map(
    (model) => [`the model ${JSON.stringify(model).slice(0, 30)}`, { ...good, model }, 'model'] as const,
  ),
]
for (const [what, givenItem, ...fields] of refusedTexts)
  test(`${what} is refused, each fault at its field`, () => {
    const call = () => parseBody(body, { userProvider: givenItem })
    assert.throws(call, (error) => {
      assert.ok(isRefusal(error))
      assert.equal(error.code, 'invalid_params')
      const foundTexts = new Set(error.issues?.map(({ path }) => path.join('.')))
      assert.deepEqual(
        [...foundTexts].sort(),
        (fields.length ? fields.map((name) => `userProvider.${name}`) : ['userProvider']).sort(),
      )
      for (const { message } of error.issues ?? []) assert.match(message, /^[A-Z].*\.$/)
      return true
    })
  })

test('an empty address and an empty key have one fault each, in the words for any other wrong one', () => {
  const messages = (givenValue: object) =>
    userProvider.safeParse({ ...good, ...givenValue }).error?.issues.map(({ message }) => message)
  const address = messages({ baseUrl: 'x' })
  const key = messages({ apiKey: 'sk 1' })
  assert.deepEqual([address?.length, key?.length], [1, 1])
  assert.deepEqual([messages({ baseUrl: '' }), messages({ apiKey: '' })], [address, key])
})
