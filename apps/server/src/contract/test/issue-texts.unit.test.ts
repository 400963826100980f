import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { parseJson, parseQuery } from '@pixelmill/codecs/contract/parse'
import { z } from 'zod'

/** A schema that says nothing itself, what is sent, and the sentence that is answered. */
const faults: readonly (readonly [schema: z.ZodType, sent: unknown, code: string, message: string])[] = [
  [z.string(), undefined, 'invalid_type', 'Is needed.'],
  [z.string(), 5, 'invalid_type', 'Must be a text.'],
  [z.number(), '5', 'invalid_type', 'Must be a number.'],
  [z.int(), 1.5, 'invalid_type', 'Must be a whole number.'],
  [z.boolean(), 'true', 'invalid_type', 'Must be true or false.'],
  [z.array(z.string()), {}, 'invalid_type', 'Must be a list.'],
  [z.object({}), [], 'invalid_type', 'Must be an object.'],
  [z.record(z.string(), z.string()), 'x', 'invalid_type', 'Must be an object.'],
  [z.null(), 1, 'invalid_type', 'Must be null.'],
  [z.date(), 1, 'invalid_type', 'Must be of another kind.'],
  [z.enum(['free', 'pro']), 'gold', 'invalid_value', 'Must be one of free, pro.'],
  [z.literal(true), false, 'invalid_value', 'Must be true.'],
  [z.number().min(1), 0, 'too_small', 'Must be at least 1.'],
  [z.number().gt(1), 1, 'too_small', 'Must be more than 1.'],
  [z.string().min(1), '', 'too_small', 'Must have at least 1 character.'],
  [z.string().length(2), 'x', 'too_small', 'Must have exactly 2 characters.'],
  [z.array(z.int()).min(2), [1], 'too_small', 'Must have at least 2 entries.'],
  [z.number().max(100), 101, 'too_big', 'Must be at most 100.'],
  [z.number().lt(100), 100, 'too_big', 'Must be less than 100.'],
  [z.string().max(2), 'xxx', 'too_big', 'Must have at most 2 characters.'],
  [z.array(z.int()).max(1), [1, 2], 'too_big', 'Must have at most 1 entry.'],
  [z.int(), 2 ** 53, 'too_big', `Must be at most ${2 ** 53 - 1}.`],
  [z.uuid(), 'x', 'invalid_format', 'Must be a UUID.'],
  [z.url(), 'x', 'invalid_format', 'Must be a URL.'],
  [z.email(), 'x', 'invalid_format', 'Must be an e-mail address.'],
  [z.iso.datetime(), 'x', 'invalid_format', 'Must be a time as 2026-01-31T12:00:00Z.'],
  [z.string().regex(/^y$/), 'x', 'invalid_format', 'Must be of the form that the documentation gives.'],
  [z.number().multipleOf(5), 7, 'not_multiple_of', 'Must be a multiple of 5.'],
  [z.strictObject({ a: z.string().optional() }), { b: 1 }, 'unrecognized_keys', 'Is not a field of this request.'],
  [z.union([z.string(), z.number()]), true, 'invalid_union', 'Must be of one of the forms that the documentation gives.'],
  [z.record(z.string().max(1), z.string()), { ab: 'x' }, 'invalid_key', 'Has a name that is not allowed.'],
  [z.string().refine(() => false), 'x', 'custom', 'Is not valid.'],
  [z.string().refine(() => false, 'Must be ours.'), 'x', 'custom', 'Must be ours.'],
]

function faultOf(parse: () => unknown): ImageError {
  try {
    parse()
  } catch (error) {
    assert.ok(error instanceof ImageError)
    return error
  }
  assert.fail('it was taken')
}

for (const [schema, sentItem, code, message] of faults) {
  test(`${code}: "${message}"`, () => {
    const { issues = [] } = faultOf(() => parseJson(z.object({ field: schema }), { field: sentItem }))
    assert.deepEqual(
      issues.map((issue) => [issue.path[0], issue.code, issue.message]),
      [['field', code, message]],
    )
  })
}

test('several faults are one message of whole sentences, each with its name', () => {
  const schema = z.object({ width: z.int().max(10), tags: z.array(z.string()) })
  const { message, issues } = faultOf(() => parseJson(schema, { width: 11, tags: ['x', 1] }))
  assert.equal(message, 'width: Must be at most 10. tags.1: Must be a text.')
  assert.deepEqual(
    issues?.map(({ path }) => path),
    [['width'], ['tags', 1]],
  )
})

test('a query is answered in the same words', () => {
  const schema = z.object({ limit: z.string().transform(Number).pipe(z.int().max(100)) })
  assert.equal(faultOf(() => parseQuery(schema, new URLSearchParams('limit=101'))).message, 'limit: Must be at most 100.')
  assert.equal(faultOf(() => parseQuery(schema, new URLSearchParams('limit=x'))).message, 'limit: Must be a number.')
})
