import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inlineBytes } from '../inline-image.ts'

const KIB = 1024

test('a picture in a tool call may have 256 KiB, and not a byte more', () => {
  const most = Buffer.alloc(256 * KIB, 7)
  assert.ok(inlineBytes(most.toString('base64')).equals(most))
  assert.throws(() => inlineBytes(Buffer.alloc(256 * KIB + 1).toString('base64')), { code: 'invalid_params', message: /256 KiB/ })
})

test('a data URI is taken too, and what is no base64 is not', () => {
  assert.equal(inlineBytes('data:image/png;base64,YWJj').toString(), 'abc')
  for (const text of ['', 'YWJ', 'YW J', 'data:image/png,abc'])
    assert.throws(() => inlineBytes(text), { code: 'invalid_params' }, text)
})
