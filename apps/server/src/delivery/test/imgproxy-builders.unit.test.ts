import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deliverySource } from '../../../test/support/delivery-source.ts'
import { imgproxySignature } from '../imgproxy/address.ts'
import { imgproxyDialect } from '../imgproxy/dialect.ts'

/** The addresses that builders of imgproxy's URLs make of the examples of their documentation. */

const sources = [
  deliverySource('example', { type: 'web', baseUrl: 'https://example.com/' }),
  deliverySource('docs', { type: 'web', baseUrl: 'http://example.com/images/' }),
  deliverySource('photographs', { type: 'web', baseUrl: 'https://picsum.photos/' }),
  deliverySource('ruby', { type: 'web', baseUrl: 'http://images.example.com/' }),
  deliverySource('bucket', { type: 'bucket', bucket: 'mybucket', prefix: '' }),
]
const dialectOf = (key: string, salt: string, baseUrl = '') =>
  imgproxyDialect({
    pairs: [{ key: Buffer.from(key, 'hex'), salt: Buffer.from(salt, 'hex') }],
    presets: new Map([['sharp', ['sh:0.7']]]),
    baseUrl,
    localRoot: undefined,
    endsWithName: false,
    watermarkPath: '/srv/watermark.png',
  })

const docsKey = '943b421c9eb07c830af81030552c86009268de4e532ba2ee2eab8247c6da0881'
const docsSalt = '520f986b998545b4785e0defbc4f3c1203f22de2374a3d53cb7a7fe9fea309c5'
const docs = dialectOf(docsKey, docsSalt)
const python = dialectOf('aa396160c50ea766910eab53', 'b3fb8f215827bda5d0e7313d')
const go = dialectOf(
  'e99bd6542067de7dac460558ecada3987dd2d18b066180eaa1c3abc66fb22e463d177ac8f64c93c44d0d78c35adcdda7e0b5f5a116b23ac3d1fa7a305d0727c4',
  'a997d51b78d28ba8c05f39b6e634a044b9551352b105f70a4c0fc4c0eca5982719a33527d0253810273bf4d8b747a261cd4898d3e46916cc57d1de8aac132870',
  'https://example.com',
)

/** Signed by the builder itself, with the key of its documentation. */
const signedAddresses = {
  '@imgproxy/imgproxy-node 1.1.0': [
    docs,
    ['/4uW4k4zWDED_K07HysReVXqiGuR_TqOVXFV-KuLCCw0/el:t/g:no/rt:fit/w:300/aHR0cHM6Ly9leGFtcGxlLmNvbS9pbWFnZS5qcGc'],
  ],
  'imgproxy 1.0.0 for Python': [
    python,
    [
      '/Da25ef1zWhx4P9hhPWGdFRU8_dYcGvloGHvEZ1c3_0o/g:ce/rs:auto:0:0:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA',
      '/DV10oBjob2ZNpPs45Y4Pmz5mu5oXg1hnK_uctk7Iqwg/g:ce/rs:auto:800:400:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA',
      '/hA5lUhtUl2SQ5sFT1NA67cFMa2e-fwIMggpDgKHyJhk/g:ce/rs:fill:400:200:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA',
      '/dvyzXy1Bup7Oyuzoh_JdNQQiDwlB9cOF8mDBmuKbm_g/pd:10:10:10:10/bg:F00/g:ce/rs:auto:0:0:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA',
      '/qcKAFfBJwpiKZ6xt-NT6GXGOGizkeq4sgyfoQ4h-080/g:ce/rs:auto:600:0:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA',
      '/fThNQU3ZIhLIXnw08Vkfoo5OXBP54TBJb0ydbJdIVPY/bg:F00/pd:10:10:10:10/g:ce/rs:auto:300:200:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA',
      '/ygTv_qPPUUGjC8pWHH2XnetSfJ4t19qex7ijjf0meSY/g:ce/rs:fit:500:0:0/aHR0cHM6Ly9waWNzdW0ucGhvdG9zLzEwMDA',
    ],
  ],
  'imgproxyurl for Go': [go, ['/a3eK6TO-pMwXvXtakEZjTov3qDrUoDeGL1Xb_1p-Ue4/w:400/h:300/rt:fit/L3BhdGgvdG8vaW1hZ2UuanBn']],
} as const
for (const [builder, [dialect, addresses]] of Object.entries(signedAddresses))
  test(`signed by ${builder}`, () => {
    for (const address of addresses) assert.ok(dialect.read(address, sources).path.length > 0, address)
  })

test('an encoded original with a name for search engines', () => {
  const pair = { key: Buffer.from(docsKey, 'hex'), salt: Buffer.from(docsSalt, 'hex') }
  const dialect = imgproxyDialect({
    pairs: [pair],
    presets: new Map(),
    baseUrl: '',
    localRoot: undefined,
    endsWithName: true,
    watermarkPath: undefined,
  })
  const read = (text: string) => dialect.read(`/${imgproxySignature(text, pair)}${text}`, sources)
  const encodedText = '/w:5/aHR0cHM6Ly9leGFtcGxl/LmNvbS9pbWFnZS9waWMucG5n'
  assert.deepEqual(read(`${encodedText}/pic.png`).path, ['image', 'pic.png'])
  assert.equal(read(`${encodedText}.webp/pic.png`).recipe.outputs[0]?.format, 'webp')
  assert.deepEqual(read('/plain/https://example.com/a/b.png').path, ['a', 'b.png'])
})

/** Signed here: the documentation shows them without a signature, or with one of a key that it does not name. */
const addresses = {
  'imgproxy’s documentation': [
    '/preset:sharp/resize:fill:300:400:0/gravity:sm/plain/http://example.com/images/curiosity.jpg@png',
    '/pr:sharp/rs:fill:300:400:0/g:sm/plain/http://example.com/images/curiosity.jpg@png',
    '/pr:sharp/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png',
    '/rs:fill:300:400:0/g:sm/aHR0cDovL2V4YW1w/bGUuY29tL2ltYWdl/cy9jdXJpb3NpdHku/anBn.png',
  ],
  '@imgproxy/imgproxy-js-core 1.9.0': [
    '/bl:5/el:t/ex:t:nowe::5/f:webp/h:150/q:80/w:150/z:1.5/plain/https://example.com/image.jpg',
  ],
  'imgproxy.rb 3': [
    '/w:500/h:400/rt:fill/plain/http://images.example.com/images/image.jpg',
    '/rt:fill/w:500/h:400/sh:0.5/plain/http://images.example.com/images/image1.jpg',
    '/c:500:600:nowe:10:5/plain/http://images.example.com/images/image.jpg',
    '/c:500:600:nowe:10:5/t:10:aabbcc:1:1/plain/http://images.example.com/images/image.jpg',
    '/g:nowe/t:10/plain/http://images.example.com/images/image.jpg',
  ],
  '@bitpatty/imgproxy-url-builder 2.1.0': [
    'rot:90/bl:10',
    'ar:true',
    'bg:ff0000',
    'bg:255:0:0',
    'bl:10',
    'cb:abcdef123',
    'c:100:50:ce:20:20',
    'dpr:18',
    'eth:true',
    'el:true',
    'ex:true',
    'ex:true:no:10:20',
    'exar:true',
    'exar:true:no:10:20',
    'fn:filename.png',
    'fn:ZmlsZW5hbWUucG5n:true',
    'f:png',
    'fq:jpeg:100:png:50',
    'g:no:10:20',
    'kcr:true',
    'mb:10',
    'mh:100',
    'mw:100',
    'pd:10:5:10:5',
    'pix:10',
    'q:10',
    'raw:true',
    'rs:auto:100:50',
    'att:true',
    'rot:90',
    'sh:10',
    'skp:png:svg',
    'scp:true',
    'sm:true',
    't:10:ababab:true:true',
    'wm:0.8:soea:10:10:0.3',
    'z:2',
    'pr:sharp',
  ].map((options) => `/${options}/plain/s3://mybucket/myimage.png`),
} as const
for (const [builder, texts] of Object.entries(addresses))
  test(`as ${builder} writes them`, () => {
    const pair = { key: Buffer.from(docsKey, 'hex'), salt: Buffer.from(docsSalt, 'hex') }
    for (const text of texts) assert.ok(docs.read(`/${imgproxySignature(text, pair)}${text}`, sources).path.length > 0, text)
  })
