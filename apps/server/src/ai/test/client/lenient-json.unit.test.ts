import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLenient } from '../../client/lenient-json.ts'

const readable: readonly (readonly [text: string, value: unknown])[] = [
  ['{"a": 1, "b": [true, null, -2.5e3, "x"]}', { a: 1, b: [true, null, -2_500, 'x'] }],
  ["{'a': 'it's red', 'b': False, c: None, d: True,}", { a: "it's red", b: false, c: null, d: true }],
  ['{“a”: “one”, ‘b’: ‘two’, „c“: „three“}', { a: 'one', b: 'two', c: 'three' }],
  ['{"a": "He said "no" to it"}', { a: 'He said "no" to it' }],
  ['{"a": "\\u00e9\\n\\"\\/\\q\\u12"}', { a: 'é\n"/qu12' }],
  ['{"a": "two\nlines"}', { a: 'two\nlines' }],
  ['{"a": 1 // the first\n "b": 2}', { a: 1, b: 2 }],
  ['{a: red bicycle, b: 12 apples}', { a: 'red bicycle', b: '12 apples' }],
  ['{"a": {"b": [1, 2', { a: { b: [1, 2] } }],
  ['{"a": "cut o', { a: 'cut o' }],
  ['{"a": constructor, "__proto__": 1}', { a: 'constructor', ['__proto__']: 1 }],
  ['[{"a": 1} {"a": 2}]', [{ a: 1 }, { a: 2 }]],
]
for (const [text, value] of readable)
  test(`reads ${text}`, () => {
    assert.deepEqual(readLenient(text), value)
  })

for (const text of ['{"a"}', '{"a" 1}', '{:1}', '{{{', '{"a":'.repeat(100), '{"a": }', ''])
  test(`cannot read ${text.slice(0, 20)}`, () => {
    assert.throws(() => readLenient(text), SyntaxError)
  })

test('reads whatever JSON.stringify writes as JSON.parse does', () => {
  const signs = ['"', "'", '\\', '{', '}', '[', ']', ',', ':', '\n', '\u0000', 'é', '😀', ' ', 'a', '/', '”']
  let seed = 1
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 2_000; round++) {
    const text = Array.from({ length: random(12) }, () => signs[random(signs.length)]).join('')
    // A quote and a comma within a string are escaped, which is what tells them from its end.
    const value = { [`k${round}`]: text, list: [text, random(1_000) - 500, null, true, [], {}] }
    assert.deepEqual(readLenient(JSON.stringify(value, null, random(3))), value)
  }
})
