import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withRedCorner } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

/** Where no encoding is smaller, optimize gives back the input: with its pixels, and without what it said of its maker. */

const { post } = sharedServer()

const SECRET = 'taken by a photographer'
/** Noise, so that a lossless copy of a lossy file is larger than the file. */
const noise = await sharp({
  create: { width: 120, height: 80, channels: 3, background: '#356', noise: { type: 'gaussian', mean: 120, sigma: 40 } },
})
  .composite([{ input: await (await withRedCorner(60, 40)).png().toBuffer(), left: 0, top: 0 }])
  .png()
  .toBuffer()

const writers: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 5, mozjpeg: true }),
  png: (image) => image.png({ palette: true, colours: 4, compressionLevel: 9 }),
  webp: (image) => image.webp({ quality: 5 }),
}

for (const [format, write] of Object.entries(writers)) {
  for (const orientation of [1, 6]) {
    test(`${format}, orientation ${orientation}`, async () => {
      const exif = { IFD0: { Copyright: SECRET }, IFD3: { GPSLatitudeRef: 'N' } }
      const image = await write(sharp(noise).withMetadata({ orientation }).withExifMerge(exif)).toBuffer()
      assert.ok(image.includes(SECRET))
      const { status, bytes, headers } = await post('optimize', { quality: 100 }, { image })
      assert.equal(status, 200)
      const shownPixels = (file: Buffer) =>
        sharp(file).autoOrient().toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const before = await shownPixels(image)
      const after = await shownPixels(bytes)
      assert.deepEqual(after.data, before.data)
      assert.deepEqual(
        [headers.get('x-image-width'), headers.get('x-image-height')],
        [String(before.info.width), String(before.info.height)],
      )
      assert.ok(bytes.length <= image.length)
      assert.ok(Number(headers.get('x-saved-percent')) >= 0)
      assert.ok(!bytes.includes(SECRET), 'the EXIF block is gone')
    })
  }
}
