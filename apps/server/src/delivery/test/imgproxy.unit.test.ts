import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { isRefusal } from '../../contract/api-error.ts'
import { imgproxySignature } from '../imgproxy/address.ts'
import { imgproxyDialect } from '../imgproxy/dialect.ts'
import { supportedOptions } from '../imgproxy/options.ts'
import type { Place, Source } from '../source.ts'

const pair = { key: randomBytes(32), salt: randomBytes(32) }
const dialect = imgproxyDialect({
  pairs: [{ key: randomBytes(8), salt: randomBytes(8) }, pair],
  presets: new Map([
    ['card', ['rs:fill:200:100', 'q:70']],
    ['circle', ['pr:circle', 'w:9']],
  ]),
  baseUrl: '',
  localRoot: '/srv/images',
  watermarkPath: '/srv/logo.png',
})
const source = (name: string, place: Place): Source => ({
  name,
  granted: undefined,
  accountId: 'a',
  place,
  maxAgeSeconds: 60,
  unsigned: false,
  secrets: [],
  generation: 1,
  purged: new Map(),
})
const sources = [
  source('all', { type: 'web', baseUrl: 'https://cdn.example.com/' }),
  source('shop', { type: 'web', baseUrl: 'https://cdn.example.com/shop/' }),
  source('photos', { type: 'bucket', bucket: 'photos', prefix: 'public' }),
  source('local', { type: 'folder', path: '/srv/images/web' }),
]
const signedUrl = (text: string) => `/${imgproxySignature(text, pair)}${text}`
const read = (text: string) => dialect.read(signedUrl(text), sources)
const ORIGINAL = '/plain/https://cdn.example.com/a.jpg'

const meanings: Readonly<Record<string, object>> = {
  'rs:fit:300:200': { steps: [{ resize: { width: 300, height: 200, fit: 'inside', enlarge: false } }] },
  'resize:fill:300:200:1/gravity:noea': {
    steps: [{ resize: { width: 300, height: 200, fit: 'cover', gravity: 'northeast', enlarge: true } }],
  },
  'rs:fill:300:200/g:sm/dpr:2': {
    dpr: 2,
    steps: [{ resize: { width: 300, height: 200, fit: 'cover', gravity: 'subject', enlarge: false } }],
  },
  'rt:fill/s:300:0/el:t': { steps: [{ resize: { width: 300, fit: 'cover', enlarge: true } }] },
  'rs:force:30:20:1': { steps: [{ resize: { width: 30, height: 20, fit: 'fill', enlarge: true } }] },
  'width:30/height:20/enlarge:0': { steps: [{ resize: { width: 30, height: 20, fit: 'inside', enlarge: false } }] },
  'w:0/h:0': { steps: [] },
  'c:100:50/g:so': { steps: [{ crop: { width: 100, height: 50, gravity: 'south' } }] },
  'crop:100:50:fp:0.2:0.8/g:so': { steps: [{ crop: { width: 100, height: 50, gravity: { x: 0.2, y: 0.8 } } }] },
  'sh:0.7/bl:3/rot:-90/fl:1:0/w:9/bg:255:0:128': {
    steps: [
      { rotate: { angle: 270 } },
      { flop: {} },
      { resize: { width: 9, enlarge: false } },
      { blur: { sigma: 3 } },
      { sharpen: { sigma: 0.7 } },
      { background: { color: '#ff0080' } },
    ],
  },
  'bg:fff/bg:': { steps: [] },
  'q:0': {},
  'quality:80/f:webp': { quality: 80, format: 'webp' },
  'fq:jpeg:70:webp:60/ext:jpg': { quality: 70, format: 'jpeg' },
  'mb:20000/f:avif': { maxBytes: 20_000, format: 'avif' },
  'sm:0': { metadata: 'all' },
  'kcr:0/scp:0': { metadata: 'none', icc: 'keep' },
  'ar:1/eth:0/att:0/raw:0/cb:5': {},
  'pr:card/q:50': { quality: 50, steps: [{ resize: { width: 200, height: 100, fit: 'cover', enlarge: false } }] },
  'preset:circle': { steps: [{ resize: { width: 9, enlarge: false } }] },
  'wm:0.5:soea:0:0:0.2': {
    steps: [{ watermark: { image: 'watermark', opacity: 50, scale: 0.2, scaleBy: 'box', position: 'bottom-right' } }],
  },
  'watermark:1:re:::0.1': {
    steps: [
      { watermark: { image: 'watermark', opacity: 100, scale: 0.1, scaleBy: 'box', tile: true, spacing: 0, position: 'center' } },
    ],
  },
  'wm:0': {},
}
for (const [options, askedItem] of Object.entries(meanings))
  test(`means: ${options}`, () => {
    const recipe = recipeSchema.parse({ outputs: [{ metadata: 'copyright', ...askedItem }] })
    assert.equal(canonical(read(`/${options}${ORIGINAL}`).recipe), canonical(recipe))
  })

const refusedValue: Readonly<Record<string, string>> = {
  'rs:auto:300:200': 'rs',
  'rs:fill-down:300:200': 'rs',
  'rs:force:300:200': 'resizing_type',
  'rs:fit:300:200:0:1': 'rs',
  'ex:1': 'ex',
  'w:-5': 'w',
  'w:1e3': 'w',
  'w:20000': 'resize width',
  'dpr:0': 'dpr',
  'dpr:0.5/w:5': 'dpr',
  'g:no:10:20': 'g',
  'g:obj:face': 'g',
  'c:0.5:0.5': 'c',
  'c:0:100': 'c',
  'rot:45': 'rot',
  'bl:0.1': 'blur sigma',
  'bg:red': 'bg',
  'q:101': 'q',
  'fq:jpeg:70': 'format_quality',
  'f:ico': 'format',
  'f:gif/mb:5': 'outputs maxBytes',
  'wm:1': 'wm',
  'wm:1:ce:5:0:0.2': 'wm',
  'wm:1:ch:0:0:0.2': 'wm',
  'pr:none': 'pr',
  'z:2': 'z',
  'mw:5': 'mw',
  'pd:5': 'pd',
  't:10': 't',
  'pix:5': 'pix',
  'skp:png': 'skp',
  'raw:1': 'raw',
  'ar:0': 'ar',
  'att:1': 'att',
  'fn:x': 'fn',
  'constructor:1': 'constructor',
}
for (const [options, name] of Object.entries(refusedValue))
  test(`is refused: ${options}`, () =>
    assert.throws(
      () => read(`/${options}${ORIGINAL}`),
      (error) => isRefusal(error) && error.code === 'invalid_params' && error.message.startsWith(`${name}`),
    ))

test('every supported option is tried, by its long or its short name', () => {
  const triedTexts = new Set(Object.keys(meanings).flatMap((options) => options.split('/').map((option) => option.split(':')[0])))
  const others = [
    'resizing_type',
    'size',
    'rotate',
    'flip',
    'blur',
    'sharpen',
    'background',
    'format_quality',
    'max_bytes',
    'format',
    'strip_metadata',
    'keep_copyright',
    'strip_color_profile',
    'auto_rotate',
    'enforce_thumbnail',
    'return_attachment',
    'el',
    'h',
    'c',
    'ext',
    'cachebuster',
    'expires',
    'exp',
  ]
  assert.deepEqual(
    supportedOptions.filter((name) => !triedTexts.has(name) && !others.includes(name)),
    [],
  )
})

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

test('the extension is the format', () => {
  assert.equal(read(`${ORIGINAL}@avif`).recipe.outputs[0]?.format, 'avif')
  assert.equal(read(`/f:webp${ORIGINAL}@`).recipe.outputs[0]?.format, 'webp')
})

const none: Readonly<Record<string, string>> = {
  '/plain/https://other.example.com/a.jpg': 'source_not_found',
  '/plain/s3://photos/private/a.jpg': 'source_not_found',
  '/plain/local:///private/a.jpg': 'source_not_found',
  '/plain/https://cdn.example.com/a.jpg%3Fv=1': 'invalid_params',
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
  assert.equal(read(`/cb:7${ORIGINAL}`).buster, '7')
})
