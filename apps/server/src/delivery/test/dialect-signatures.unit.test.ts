import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readCloudinaryAddress } from '../cloudinary/address.ts'
import { cloudinarySignature, isCloudinarySigned } from '../cloudinary/signature.ts'
import { isImgixSigned, readImgixAddress } from '../imgix/address.ts'

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
