import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { deliverySource } from '../../../test/support/delivery-source.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { cloudinarySignature, fetchedUrl, isCloudinarySigned, readCloudinaryAddress } from '../cloudinary/address.ts'
import { cloudinaryDialect } from '../cloudinary/dialect.ts'
import { isImgixSigned, readImgixAddress } from '../imgix/address.ts'
import { imgixDialect } from '../imgix/dialect.ts'

/** Signatures that the services' own documentation and clients give. */

describe('imgix', () => {
  const examples = [
    '/users/1.png?s=6797c24146142d5b40bde3141fd3600c',
    '/users/1.png?w=400&h=300&s=c7b86f666a832434dd38577e38cf86d1',
    '/http%3A%2F%2Favatars.com%2Fjohn-smith.png?s=493a52f008c91416351f8b33d4883135',
    '/http%3A%2F%2Favatars.com%2Fjohn-smith.png?w=400&h=300&s=61ea1cc7add87653bb0695fe25f2b534',
  ]
  for (const example of examples)
    test(example, () => {
      const address = readImgixAddress(`/imgix/social${example}`)
      assert.ok(address && isImgixSigned(address, ['other', 'FOO123bar']))
      const other = readImgixAddress(`/imgix/social${example.replace('.png', '.jpg')}`)
      assert.ok(other && !isImgixSigned(other, ['FOO123bar']))
    })
  test('without one it is not signed', () => {
    const address = readImgixAddress('/imgix/social/users/1.png?w=400')
    assert.ok(address && !isImgixSigned(address, ['FOO123bar']))
  })
})

/** By @imgix/js-core 3.8.0, with the token FOO123bar: buildURL, and sources of buildSrcSet. */
const imgixClient = [
  '/photo.jpg?ixlib=js-3.8.0&w=100&h=50&fit=crop&auto=format%2Ccompress&s=a79ecd28fa911fa4c1b714800ba84035',
  '/a%20b/%C3%BCn%C3%AF.jpg?ixlib=js-3.8.0&w=100&mark64=bWFya3MvcmVkLnBuZw&s=ab711e615eeeceb886fb0f509af9eefa',
  '/photo.jpg?ixlib=js-3.8.0&ar=3%3A2&fit=crop&w=116&s=c7b4f5ee70e2ece37f21a665fef54fb1',
  '/photo.jpg?ixlib=js-3.8.0&w=80&dpr=2&q=50&s=4d9212c74246013489700fcb83520523',
]
/** By cloudinary 2, with the cloud shop, the secret b and a secure_distribution: url, with sign_url. */
const cloudinaryClient = [
  '/shop/image/upload/s--vork22oA--/c_fill,f_auto,g_auto,h_50,q_auto,w_100/photo.jpg?_a=BAMAROfk0',
  '/shop/image/upload/s--FV-0s2mNbGg0lc4nr5kIFG2NCB6VWy2H--/c_scale,w_100/v12/a%20b/photo?_a=BAMAROfk0',
  '/shop/image/upload/s--LLm9BgeL--/c_limit,w_100/g_south_east,l_marks:red,o_60,x_5,y_5/bo_4px_solid_red/photo.jpg?_a=BAMAROfk0',
  '/shop/image/fetch/s--oIu8WDX5--/w_100/https://example.com/a%20b.jpg?_a=BAMAROfk0',
  '/shop/image/upload/s--sispztew--/t_card/v1/folder/photo.jpg?_a=BAMAROfk0',
]
describe('the clients of the services', () => {
  const source = deliverySource('shop', { type: 'web', baseUrl: 'https://example.com/' })
  const preset = async () => recipeSchema.parse({})
  const dialects = { imgix: imgixDialect, cloudinary: cloudinaryDialect }
  const cases = [
    ...imgixClient.map((url) => ['imgix', `/imgix/shop${url}`, 'FOO123bar'] as const),
    ...cloudinaryClient.map((url) => ['cloudinary', url, 'b'] as const),
  ]
  for (const [name, url, secret] of cases)
    test(url, async () => {
      const dialect = (right: string) => dialects[name]({ secrets: new Map([['shop', right]]), openSources: [] })
      const order = await dialect(secret).read(url, source, preset)
      assert.equal(order.source, source)
      await assert.rejects(
        async () => dialect('other').read(url, source, preset),
        (error) => isRefusal(error) && error.code === 'invalid_signature',
      )
    })
})

describe('Cloudinary', () => {
  const examples = [
    '/shop/image/upload/s--Ai4Znfl3--/c_crop,h_20,w_10/v1234/image.jpg',
    '/shop/image/upload/s----SjmNDA--/v1234/image.jpg',
    '/shop/image/upload/s--Ai4Znfl3--/c_crop,h_20,w_10/image.jpg',
    '/shop/image/upload/s--Ai4Znfl3--/c_crop%2Ch_20%2Cw_10/image.jpg',
  ]
  for (const example of examples)
    test(example, () => {
      const { signature = '', signedText = '' } = readCloudinaryAddress(example) ?? {}
      assert.ok(isCloudinarySigned(signedText, signature, ['other', 'b']))
      assert.ok(!isCloudinarySigned(`${signedText}x`, signature, ['b']))
    })
  test('a long one is of SHA-256', () => {
    const long = cloudinarySignature('c_crop,h_20,w_10/image.jpg', 'b', 32)
    const { signature = '', signedText = '' } =
      readCloudinaryAddress(`/shop/image/upload/s--${long}--/c_crop,h_20,w_10/v1/image.jpg`) ?? {}
    assert.equal(signature, long)
    assert.ok(isCloudinarySigned(signedText, signature, ['b']))
  })
  const parts: Readonly<Record<string, readonly [transformations: readonly string[], original: string, version?: string]>> = {
    '/shop/image/upload/a/b.jpg': [[], 'a/b.jpg'],
    '/shop/image/upload/w_100/c_crop,g_auto/v12/w_5/b.jpg': [['w_100', 'c_crop,g_auto'], 'w_5/b.jpg', 'v12'],
    '/shop/image/upload/w_100/folder/v12/b.jpg': [['w_100'], 'folder/v12/b.jpg'],
    '/shop/image/upload/w_100': [[], 'w_100'],
    '/shop/image/upload/v12': [[], 'v12'],
    '/shop/image/fetch/w_100%2Ch_5/https://example.com/a%20b.jpg': [['w_100,h_5'], 'https://example.com/a%20b.jpg'],
    '/shop/image/fetch/v1/https%3A%2F%2Fexample.com%2Fa.jpg': [[], 'https%3A%2F%2Fexample.com%2Fa.jpg', 'v1'],
  }
  for (const [url, [transformations, original, version]] of Object.entries(parts))
    test(`parts: ${url}`, () => {
      const address = readCloudinaryAddress(url)
      assert.deepEqual([address?.transformations, address?.original, address?.version], [transformations, original, version])
    })
  const fetchedUrls: Readonly<Record<string, string>> = {
    'https://example.com/a%20b.jpg': 'https://example.com/a b.jpg',
    'https:/example.com/a.jpg%3Fv=1': 'https://example.com/a.jpg?v=1',
    'https%3A%2F%2Fexample.com%2Fa%2520b.jpg': 'https://example.com/a%20b.jpg',
    'https://example.com/a%zz.jpg': 'https://example.com/a%zz.jpg',
  }
  for (const [text, url] of Object.entries(fetchedUrls))
    test(`fetches ${url}`, () => {
      const address = readCloudinaryAddress(`/shop/image/fetch/w_5/${text}`)
      assert.equal(address && fetchedUrl(address), url)
    })
  test('other paths are no addresses', () => {
    for (const url of [
      '/api/v1/convert',
      '/i/shop/a.jpg',
      '/shop/video/upload/a.mp4',
      '/shop/image/upload/',
      '/Shop/image/upload/a.jpg',
    ])
      assert.equal(readCloudinaryAddress(url), undefined, url)
  })
})
