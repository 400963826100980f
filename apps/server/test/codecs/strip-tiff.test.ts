import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orientationOnly } from '@pixelmill/codecs/exif'
import { randomFrom } from '@pixelmill/codecs/test/support/damage'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { baseline, tiffOf } from '@pixelmill/codecs/test/support/tiff'
import { stripTiff } from '@pixelmill/codecs/tiff/strip'
import sharp, { type Sharp } from 'sharp'
import { sharedServer } from '../support/shared-server.ts'

const { post } = sharedServer()

const SECRET = 'taken by A. Author'
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}"/></rdf:RDF></x:xmpmeta>`

const describe = (pixels: Sharp) =>
  pixels
    .withExifMerge({ IFD0: { Copyright: SECRET, Make: SECRET, Artist: SECRET, Software: SECRET }, IFD2: { UserComment: SECRET } })
    .withXmp(XMP)
    .withIccProfile('p3')

const colours = await Promise.all(['#ff0000', '#0000ff'].map((colour) => solid(60, 40, colour).png().toBuffer()))
const files: Readonly<Record<string, Buffer>> = {
  'one page': await describe(sharp(await photo(90, 60).png().toBuffer()))
    .tiff({ compression: 'lzw' })
    .toBuffer(),
  'two pages': await describe(sharp(colours, { join: { animated: true } }))
    .tiff({ compression: 'deflate' })
    .toBuffer(),
  'a BigTIFF': await describe(sharp(colours[0])).tiff({ compression: 'deflate', bigtiff: true }).toBuffer(),
}

const pixelsOf = async (file: Buffer, page: number) => sharp(file, { page }).raw().toBuffer()

for (const [name, file] of Object.entries(files)) {
  test(`${name}: personal metadata is removed from every page, pixels and profile are kept`, async () => {
    const { pages = 1, icc } = await sharp(file).metadata()
    assert.ok(file.includes(SECRET) && icc)
    const strippedBytes = stripTiff(file)
    assert.equal(strippedBytes.length, file.length)
    assert.ok(!strippedBytes.includes(SECRET))
    const after = await sharp(strippedBytes).metadata()
    assert.deepEqual([after.pages ?? 1, after.xmp, after.icc], [pages, undefined, icc])
    for (let page = 0; page < pages; page++) assert.deepEqual(await pixelsOf(strippedBytes, page), await pixelsOf(file, page))
    assert.deepEqual(stripTiff(strippedBytes), strippedBytes)
  })
}

test('optimize of several pages keeps them all, without personal metadata', async () => {
  const image = files['two pages'] ?? assert.fail()
  const { bytes, status, headers } = await post('optimize', {}, { image })
  assert.deepEqual([status, headers.get('x-image-warnings'), bytes.includes(SECRET)], [200, null, false])
  assert.equal((await sharp(bytes).metadata()).pages, 2)
  for (const page of [0, 1]) assert.deepEqual(await pixelsOf(bytes, page), await pixelsOf(image, page))
})

test('an orientation stays, and what shares its bytes with pixels is not cleared', () => {
  const pixels = Buffer.from(SECRET.repeat(20).slice(0, 300), 'latin1')
  const file = tiffOf({ ...baseline(10, 10, 3, 8), 271: [1, 2, 3, 4], 274: [6] }, [pixels])
  const strippedBytes = stripTiff(file)
  assert.notDeepEqual(strippedBytes, file)
  assert.deepEqual(strippedBytes.subarray(-300), pixels)
  assert.equal(orientationOnly(6).length > 0 && strippedBytes.includes(Buffer.from([0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0])), true)
})

test('damage ends in a file of the same length, and soon', () => {
  const random = randomFrom(3)
  const file = files['two pages'] ?? assert.fail()
  for (let round = 0; round < 2_000; round++) {
    const damagedBytes = Buffer.from(file.subarray(0, round % 4 ? file.length : 16 + random(file.length - 16)))
    for (let change = 0; change < 4; change++) damagedBytes[8 + random(damagedBytes.length - 8)] = random(256)
    assert.equal(stripTiff(damagedBytes).length, damagedBytes.length)
  }
})
