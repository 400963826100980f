import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near, solid } from '@pixelmill/codecs/test/support/pictures'
import { chunk, numbers, withChunk } from '@pixelmill/engine/test/support/png'
import sharp, { type Sharp } from 'sharp'
import { ALIKE, assertShown, mark, operations, picture, testColours } from '../../../test/support/colours.ts'
import { difference } from '../../../test/support/reference.ts'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()
testColours(post, false)

const deep = (image: Sharp) => image.toColourspace('rgb16')
/** libtiff would be asked for JPEG otherwise, which has 8 bits. */
const LOSSLESS = { compression: 'lzw' } as const

for (const format of ['png', 'tiff'] as const) {
  test(`a 16-bit ${format} with a profile stays 16-bit where the format is kept`, async () => {
    const image = await deep(sharp(picture))
      .withIccProfile('p3')
      [format](format === 'tiff' ? LOSSLESS : {})
      .toBuffer()
    assert.equal((await sharp(image).metadata()).depth, 'ushort')
    for (const [operation, fields] of operations.slice(1)) {
      const { bytes } = await post(operation, fields, operation === 'watermark' ? { image, watermark: mark } : { image })
      const { depth, format: keptText, icc } = await sharp(bytes).metadata()
      assert.deepEqual([depth, keptText, icc], ['ushort', format, undefined], operation)
      assert.ok((await difference(bytes, picture)) < ALIKE, operation)
    }
  })
}

test('of a JPEG with a gain map, the picture for ordinary displays is used', async () => {
  const base = await sharp(picture).jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer()
  const gains = await sharp(picture).resize(24, 16).greyscale().negate().jpeg().toBuffer()
  const xmp = Buffer.from(
    'http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">' +
      '<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/></rdf:RDF></x:xmpmeta>',
  )
  const marker = Buffer.from([0xff, 0xe1, (xmp.length + 2) >> 8, (xmp.length + 2) & 255])
  const image = Buffer.concat([base.subarray(0, 2), marker, xmp, base.subarray(2), gains])
  await assertShown(post, image, base)
})

test('a PNG of linear light (gAMA 1) is shown as bright as it is, of 8 and 16 bits, colour and grey', async () => {
  for (const space of ['srgb', 'rgb16', 'b-w', 'grey16'] as const) {
    const linear = await solid(96, 64, '#808080').toColourspace(space).png().toBuffer()
    await assertShown(post, withChunk(linear, chunk('gAMA', numbers(100_000))), await solid(96, 64, '#bcbcbc').png().toBuffer())
  }
})

test('the gamma that nearly every PNG names is that of sRGB, and changes nothing', async () => {
  const image = withChunk(picture, chunk('gAMA', numbers(45_455)))
  const { bytes } = await post('convert', { format: 'png' }, { image })
  assert.equal(await difference(bytes, picture), 0)
})

test('a PNG may name Display P3 by cICP, or by its primaries in cHRM', async () => {
  const wide = await sharp(picture).withIccProfile('p3').png().toBuffer()
  const byPoints = chunk('cICP', Buffer.from([12, 13, 0, 1]))
  const primaries = [31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000]
  const byPrimaries = Buffer.concat([chunk('gAMA', numbers(45_455)), chunk('cHRM', numbers(...primaries))])
  for (const namedBytes of [byPoints, byPrimaries])
    await assertShown(post, withChunk(wide, namedBytes, ['iCCP', 'sRGB', 'gAMA', 'cHRM']), picture)
})

test('the fullest colours of 16 bits stay as full', async () => {
  const corners = Uint16Array.from([0xff_ff, 0, 0, 0, 0xff_ff, 0, 0, 0, 0xff_ff, 0xff_ff, 0xff_ff, 0xff_ff])
  const raw = { width: 4, height: 1, channels: 3 } as const
  const image = await deep(sharp(corners, { raw })).withIccProfile('srgb').png().toBuffer()
  const { bytes } = await post('convert', { format: 'png' }, { image })
  const shownBytes = await sharp(bytes).raw().toBuffer()
  assert.ok(near([...shownBytes], [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255], 1), String([...shownBytes]))
})
