import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { stripJpeg } from '../src/jpeg-segments.ts'
import { stripPng } from '../src/png-chunks.ts'
import { stripWebp } from '../src/webp-chunks.ts'
import { randomFrom } from './support/damage.ts'

const SECRET = 'taken by A. Author'
const XMP = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="${SECRET}"/></rdf:RDF></x:xmpmeta>`
const MUTATIONS = 5_000

/** Left red, right blue: a turn or a flip shows. */
const picture = await sharp({ create: { width: 24, height: 16, channels: 3, background: '#0000ff' } })
  .composite([{ input: { create: { width: 12, height: 16, channels: 3, background: '#ff0000' } }, left: 0, top: 0 }])
  .png()
  .toBuffer()

const write = (encode: (image: Sharp) => Sharp, orientation: number) =>
  encode(
    sharp(picture)
      .withMetadata({ orientation })
      .withExifMerge({ IFD0: { Copyright: SECRET } })
      .withXmp(XMP)
      .withIccProfile('p3'),
  ).toBuffer()

/** A PNG text chunk, put behind the header. */
function withText(png: Buffer): Buffer {
  const body = Buffer.from(`tEXtComment\0${SECRET}`, 'latin1')
  const chunk = Buffer.alloc(body.length + 8)
  chunk.writeUInt32BE(body.length - 4)
  body.copy(chunk, 4)
  chunk.writeUInt32BE(crc32(body), chunk.length - 4)
  return Buffer.concat([png.subarray(0, 33), chunk, png.subarray(33)])
}

const strips = {
  jpeg: { strip: stripJpeg, make: (orientation: number) => write((image) => image.jpeg(), orientation) },
  progressive: {
    strip: stripJpeg,
    make: (orientation: number) => write((image) => image.jpeg({ progressive: true }), orientation),
  },
  png: { strip: stripPng, make: async (orientation: number) => withText(await write((image) => image.png(), orientation)) },
  webp: { strip: stripWebp, make: (orientation: number) => write((image) => image.webp({ lossless: true }), orientation) },
  lossy: { strip: stripWebp, make: (orientation: number) => write((image) => image.webp(), orientation) },
}

/** As a viewer shows it: turned by its EXIF, in sRGB by its profile. */
const pixelsOf = (bytes: Buffer) => sharp(bytes).autoOrient().toColourspace('srgb').raw().toBuffer()

for (const [name, { strip, make }] of Object.entries(strips)) {
  for (const orientation of [1, 3, 6, 8]) {
    test(`${name}, orientation ${orientation}: looks the same without its metadata`, async () => {
      const bytes = await make(orientation)
      assert.ok(bytes.includes(SECRET), 'the metadata was there')
      const strippedFile = strip(bytes)
      assert.deepEqual(await pixelsOf(strippedFile), await pixelsOf(bytes))
      assert.ok(strippedFile.length <= bytes.length)
      assert.notEqual((await sharp(strippedFile).metadata()).icc, undefined, 'the profile stays')
      assert.ok(!strippedFile.includes(SECRET), 'the metadata is gone')
      assert.deepEqual(strip(strippedFile), strippedFile, 'twice is the same as once')
    })
  }

  test(`${name}: what stands behind the picture is gone`, async () => {
    const bytes = await make(1)
    const film = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypmp42'), Buffer.from(SECRET), bytes])
    const strippedFile = strip(Buffer.concat([bytes, film]))
    assert.deepEqual(strippedFile, strip(bytes))
    assert.deepEqual(await pixelsOf(strippedFile), await pixelsOf(bytes))
  })

  test(`${name}: ${MUTATIONS} damaged copies are walked without a throw`, async () => {
    const bytes = await make(6)
    const random = randomFrom(name.length)
    for (let round = 0; round < MUTATIONS; round++) {
      // Shorter files are not recognised as images.
      const damagedFile = Buffer.from(bytes.subarray(0, 16 + random(bytes.length - 15)))
      // Metadata is in the first bytes; most damage is done there.
      const changes = 1 + random(8)
      for (let change = 0; change < changes; change++)
        damagedFile[random(round & 1 ? damagedFile.length : Math.min(400, damagedFile.length))] = random(256)
      const strippedFile = strip(damagedFile)
      assert.ok(strippedFile.length <= damagedFile.length + 40, `round ${round}: ${damagedFile.length} → ${strippedFile.length}`)
    }
  })
}
