import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readHead } from '../../src/http/read-head.ts'

const read = (text: string) => readHead(Buffer.from(text, 'latin1'))

test('a plain head is read, whatever follows it', () => {
  const head = read('POST /api/v1/convert?a=b HTTP/1.1\r\nHost: x\r\nX-Request-ID:  abc \r\nempty:\r\n\r\nbody: 1\r\n')
  assert.equal(head?.method, 'POST')
  assert.equal(head?.path, '/api/v1/convert')
  assert.deepEqual({ ...head?.headers }, { host: 'x', 'x-request-id': 'abc', empty: '' })
})

/** All of these are somebody else's to judge. */
const unusual: Readonly<Record<string, string>> = {
  'not whole yet': 'POST / HTTP/1.1\r\nhost: x\r\n',
  'HTTP/1.0': 'POST / HTTP/1.0\r\nhost: x\r\n\r\n',
  'a whole address': 'POST http://x/ HTTP/1.1\r\nhost: x\r\n\r\n',
  'bare line feeds': 'POST / HTTP/1.1\nhost: x\n\n\r\n\r\n',
  'a bare line feed between two fields': 'POST / HTTP/1.1\r\nhost: x\nauthorization: y\r\n\r\n',
  'a bare carriage return': 'POST / HTTP/1.1\r\nhost: x\rauthorization: y\r\n\r\n',
  'a field twice': 'POST / HTTP/1.1\r\nhost: x\r\nHost: y\r\n\r\n',
  'a folded line': 'POST / HTTP/1.1\r\nhost: x\r\n y\r\n\r\n',
  'a space before the colon': 'POST / HTTP/1.1\r\nhost : x\r\n\r\n',
  'no colon': 'POST / HTTP/1.1\r\nhost\r\n\r\n',
  'bytes beyond ASCII': 'POST / HTTP/1.1\r\nhost: \xe9\r\n\r\n',
  'two spaces': 'POST  / HTTP/1.1\r\nhost: x\r\n\r\n',
  'the preface of HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'a head of more than 8 KB': `POST / HTTP/1.1\r\nhost: ${'x'.repeat(9_000)}\r\n\r\n`,
  nothing: '',
}
for (const [name, text] of Object.entries(unusual)) {
  test(`left to the HTTP server: ${name}`, () => assert.equal(read(text), undefined))
}

test('names that every object has are fields like others', () => {
  const head = read('POST / HTTP/1.1\r\n__proto__x: 1\r\nconstructor: 2\r\n\r\n')
  assert.equal(head, undefined, 'an underscore is rare')
  assert.equal(read('POST / HTTP/1.1\r\nconstructor: 2\r\n\r\n')?.headers.constructor, '2')
})
