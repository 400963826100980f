import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { deliverySource } from '../../../test/support/delivery-source.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { imgproxySignature } from '../imgproxy/address.ts'
import { imgproxyDialect } from '../imgproxy/dialect.ts'

const pair = { key: randomBytes(32), salt: randomBytes(32) }
const dialect = imgproxyDialect({
  pairs: [{ key: randomBytes(8), salt: randomBytes(8) }, pair],
  presets: new Map(),
  baseUrl: '',
  localRoot: '/srv/images',
  endsWithName: false,
  watermarkPath: undefined,
})
const sources = [
  deliverySource('all', { type: 'web', baseUrl: 'https://cdn.example.com/' }),
  deliverySource('shop', { type: 'web', baseUrl: 'https://cdn.example.com/shop/' }),
  deliverySource('photos', { type: 'bucket', bucket: 'photos', prefix: 'public' }),
  deliverySource('local', { type: 'folder', path: '/srv/images/web' }),
]
const signedUrl = (text: string) => `/${imgproxySignature(text, pair)}${text}`
const read = (text: string) => dialect.read(signedUrl(text), sources)
const ORIGINAL = '/plain/https://cdn.example.com/a.jpg'

const originals: Readonly<Record<string, readonly [source: string, path: string]>> = {
  '/plain/https://cdn.example.com/a%2520b.jpg': ['all', 'a b.jpg'],
  '/plain/https%3A%2F%2Fcdn.example.com/x/a.jpg': ['all', 'x/a.jpg'],
  '/plain/https://cdn.example.com/shop/a.jpg@webp': ['shop', 'a.jpg'],
  '/plain/s3://photos/public/a.jpg': ['photos', 'a.jpg'],
  '/plain/local:///web/x/a.jpg': ['local', 'x/a.jpg'],
  [`/${Buffer.from('https://cdn.example.com/a.jpg').toString('base64url')}.png`]: ['all', 'a.jpg'],
  [`/w:5/${Buffer.from('https://cdn.example.com/shop/b.jpg')
    .toString('base64url')
    .replace(/(.{16})/g, '$1/')}`]: ['shop', 'b.jpg'],
}
for (const [text, [name, path]] of Object.entries(originals))
  test(`original: ${text}`, () => {
    const order = read(text)
    assert.deepEqual([order.source.name, order.path.join('/')], [name, path])
  })

test('an original has its query, if a web server has it', () => {
  assert.equal(read(ORIGINAL).query, undefined)
  assert.equal(read(`${ORIGINAL}%3Fv=1&w=%20#x`.replace('#', '%23')).query, 'v=1&w= ')
})

test('the extension is the format', () => {
  assert.equal(read(`${ORIGINAL}@avif`).recipe.outputs[0]?.format, 'avif')
  assert.equal(read(`/f:webp${ORIGINAL}@`).recipe.outputs[0]?.format, 'webp')
})

const none: Readonly<Record<string, string>> = {
  '/plain/https://other.example.com/a.jpg': 'source_not_found',
  '/plain/s3://photos/private/a.jpg': 'source_not_found',
  '/plain/local:///private/a.jpg': 'source_not_found',
  '/plain/s3://photos/public/a.jpg%3FversionId=1': 'invalid_params',
  '/plain/local:///web/a.jpg%3Fv=1': 'invalid_params',
  '/plain/https://cdn.example.com/../a.jpg': 'invalid_params',
  '/plain/https://cdn.example.com/%252e%252e/a.jpg': 'invalid_params',
  '/plain/': 'invalid_params',
  '/w:5': 'invalid_params',
  '/plain/a@b@c': 'invalid_params',
  '/plain/%zz': 'invalid_params',
  '/!!!': 'invalid_params',
}
for (const [text, code] of Object.entries(none))
  test(`no original: ${text}`, () =>
    assert.throws(
      () => read(text),
      (error) => isRefusal(error) && error.code === code,
    ))

test('signatures, and times', () => {
  const url = signedUrl(`/w:5${ORIGINAL}`)
  assert.ok(dialect.isAddress(url))
  for (const other of ['/api/v1/convert', '/docs', '/insecure/w:5/plain/a', `/${'A'.repeat(42)}/w:5`, `/${'A'.repeat(43)}`])
    assert.ok(!dialect.isAddress(other), other)
  const code = (sentText: string) => {
    try {
      dialect.read(sentText, sources)
      return 'none'
    } catch (error) {
      return isRefusal(error) ? error.code : String(error)
    }
  }
  assert.equal(code(url), 'none')
  assert.equal(code(url.replace('w:5', 'w:6')), 'invalid_signature')
  assert.equal(code(url.replace(/^\/./, (start) => (start === '/A' ? '/B' : '/A'))), 'invalid_signature')
  assert.equal(code(signedUrl(`/exp:1000${ORIGINAL}`)), 'invalid_signature')
  assert.equal(code(signedUrl(`/exp:0${ORIGINAL}`)), 'none')
  assert.equal(read(`/exp:1999999999${ORIGINAL}`).expires, 1_999_999_999)
})
