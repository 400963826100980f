import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completionSchema } from '../../client/completion.ts'

const textOf = (message: object, ...others: unknown[]) =>
  completionSchema.parse({ choices: [{ message, finish_reason: 'stop' }, ...others] }).text

test('a text comes whole, in parts, as a call of a tool, or as thoughts alone', () => {
  assert.equal(textOf({ content: 'a' }), 'a')
  assert.equal(textOf({ content: ['a', { type: 'text', text: 'b' }, 5, { type: 'image_url' }] }), 'ab')
  assert.equal(textOf({ content: null, tool_calls: [{ function: { arguments: 'a' } }] }), 'a')
  assert.equal(textOf({ content: ' ', reasoning_content: 'a' }), 'a')
  assert.equal(textOf({}), '')
})

test('of a hostile server’s million parts, calls and choices a few are looked at', () => {
  assert.equal(textOf({ content: Array(1_000).fill('a') }), 'a'.repeat(64))
  assert.equal(textOf({ content: '', tool_calls: [{ function: { arguments: 'a' } }, ...Array(1_000).fill(0)] }), 'a')
  assert.equal(textOf({ content: 'a' }, ...Array(1_000).fill(0)), 'a')
})

test('an answer without a message is no completion', () => {
  for (const body of [undefined, [], {}, { choices: [] }, { choices: [{}] }, { choices: 'a' }, { choices: { 0: {} } }])
    assert.equal(completionSchema.safeParse(body).success, false)
})
