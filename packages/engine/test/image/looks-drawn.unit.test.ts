import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksDrawn } from '@pixelmill/codecs/pixels/looks-drawn'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'

async function isDrawing(picture: Sharp): Promise<boolean> {
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  return looksDrawn({ data, width: info.width, height: info.height, channels: info.channels })
}

const letters = sharp(
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="400"><rect width="600" height="400" fill="#fff"/>${Array.from(
      { length: 300 },
      (_, at) => `<circle cx="${10 + (at % 25) * 23.7}" cy="${12 + Math.floor(at / 25) * 31.3}" r="7.3" fill="#124" />`,
    ).join('')}</svg>`,
  ),
).removeAlpha()

test('a picture with edges between uniform areas looks drawn, in colour, in grey, and as a JPEG', async () => {
  assert.equal(await isDrawing(letters.clone()), true)
  assert.equal(await isDrawing(letters.clone().toColourspace('b-w')), true)
  assert.equal(await isDrawing(sharp(await letters.clone().jpeg({ quality: 95 }).toBuffer())), true)
})

test('blurred noise does not look drawn, also on a white background', async () => {
  assert.equal(await isDrawing(photo(600, 400)), false)
  const product = await photo(200, 150).png().toBuffer()
  assert.equal(
    await isDrawing(
      sharp(
        await solid(600, 400, '#ffffff')
          .composite([{ input: product }])
          .png()
          .toBuffer(),
      ),
    ),
    false,
  )
})

test('a picture of one colour, or smaller than a block, looks drawn', async () => {
  assert.equal(await isDrawing(solid(300, 300, '#abcdef')), true)
  assert.equal(await isDrawing(solid(1, 1, '#abcdef')), true)
})
