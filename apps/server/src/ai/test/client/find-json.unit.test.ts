import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { wireSchema } from '../../client/question.ts'
import { findJson, readValue } from '../../client/read-answer.ts'

const foundJson = (answer: string) => [...findJson(answer)]

/** The first of what is found. */
const first: readonly (readonly [answer: string, value: unknown])[] = [
  ['{"a":1}', { a: 1 }],
  ['{"a":1} and {"a":1,"b":2}', { a: 1, b: 2 }],
  ['<think>{"a":0}</think>{"a":1}', { a: 1 }],
  ['{"a":"1</think>2"}', { a: '1</think>2' }],
  ['```json\n{"a":1}\n``` and ```\n{"a":2}\n```', { a: 1 }],
  ['{"a":"}{"}', { a: '}{' }],
  ['{ {"a":1}', { a: 1 }],
  ["{'a':1}", { a: 1 }],
  ['{"a":"cut', { a: 'cut' }],
]
for (const [answer, value] of first)
  test(`finds in ${JSON.stringify(answer)}: ${JSON.stringify(value)}`, () => {
    assert.deepEqual(foundJson(answer)[0], value)
  })

test('finds nothing where nothing is', () => {
  assert.deepEqual(['', 'I can see a bicycle.', '}', '```json\n```'].map(foundJson), [[], [], [], []])
})

test('what JSON can read is not read a second time leniently', () => {
  assert.deepEqual(foundJson('x {"a":1} {\'b\':2} y'), [{ a: 1 }, { b: 2 }, { a: 1 }])
})

test('looks at a hostile answer for a while only', () => {
  for (const piece of ['{', '{"', '[', '<think>', '</think>', '```', '{"a":', "{'a ", '{“a ', '{}', '\\"'])
    assert.ok(foundJson(piece.repeat(1_000_000 / piece.length)).length <= 100)
})

test('an answer is unwrapped, and what is wrong with it is said in the words of the schema', () => {
  const schema = z.object({ alt: z.string() })
  assert.deepEqual(readValue('{"result":{"alt":"a"},"ok":true}', schema), { value: { alt: 'a' } })
  assert.deepEqual(readValue('[{"alt":"a"}]', schema), { value: { alt: 'a' } })
  assert.match((readValue('{"alt":5}', schema) as { problems: string }).problems, /expected string.*\n.*alt/)
  assert.deepEqual(readValue('nothing', schema), { problems: 'there is no JSON object in it' })
})

test('what is asked for is the form that a lenient schema takes, all of it required and without ranges', () => {
  const schema = z.object({
    text: z
      .string()
      .max(100)
      .catch('')
      .transform((text) => text.trim()),
    kind: z.enum(['photo', 'chart']).catch('photo'),
    share: z.coerce.number().min(0).max(1).catch(0),
    box: z.object({ left: z.number() }).nullable(),
    words: z.array(z.string()).max(3).default([]),
  })
  assert.deepEqual(wireSchema(schema), {
    type: 'object',
    properties: {
      text: { type: 'string' },
      kind: { type: 'string', enum: ['photo', 'chart'] },
      share: { type: 'number' },
      box: {
        anyOf: [
          { type: 'object', properties: { left: { type: 'number' } }, required: ['left'], additionalProperties: false },
          { type: 'null' },
        ],
      },
      words: { type: 'array', items: { type: 'string' } },
    },
    required: ['text', 'kind', 'share', 'box', 'words'],
    additionalProperties: false,
  })
})
