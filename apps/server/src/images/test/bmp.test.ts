import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recognise } from '@pixelmill/codecs'
import { bmp } from '@pixelmill/codecs/bmp/index'
import { profileOf } from '@pixelmill/codecs/icc-profile'
import { D65 } from '@pixelmill/codecs/rgb-space'
import { bmpFile, everyBmp, readRgba } from '@pixelmill/codecs/test/support/bmp'
import { randomFrom } from '@pixelmill/codecs/test/support/damage'
import { near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { sRgbCurve } from '@pixelmill/kernels/srgb'
import sharp, { type Sharp } from 'sharp'
import type { Answer } from '../../../test/support/call.ts'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const WIDTH = 240
const HEIGHT = 160
const picture = await photo(WIDTH, HEIGHT).png().toBuffer()
const settings = { quality: undefined, megapixels: 1, animation: undefined }
const writtenBmp = async (pixels: Sharp) => (await bmp.encode(pixels, settings)).bytes
const image = await writtenBmp(sharp(picture))
const logo = await solid(40, 20, '#00ff0080').png().toBuffer()

/** The answer's pixels, which must be a BMP of this size. */
async function answeredPixels({ status, headers, bytes, error }: Answer, width: number, height: number): Promise<Buffer> {
  assert.equal(status, 200, String(error?.message))
  assert.equal(headers.get('content-type'), 'image/bmp')
  assert.deepEqual([headers.get('x-image-width'), headers.get('x-image-height')], [String(width), String(height)])
  assert.equal(recognise(bytes), bmp)
  const rgba = await readRgba(bytes)
  assert.equal(rgba.length, width * height * 4)
  return rgba
}
const rgbaOf = (pixels: Sharp) => pixels.toColourspace('srgb').ensureAlpha().raw().toBuffer()

for (const format of ['webp', 'avif', 'jpeg', 'png'] as const) {
  test(`convert to ${format}`, async () => {
    const { status, headers, bytes } = await post('convert', { format, width: 120 }, { image })
    assert.deepEqual([status, headers.get('content-type')], [200, `image/${format}`])
    const { width, height } = await sharp(bytes).metadata()
    assert.deepEqual([width, height], [120, 80])
  })
}

test('convert to PNG changes no pixel', async () => {
  const { bytes } = await post('convert', { format: 'png' }, { image })
  assert.deepEqual(await rgbaOf(sharp(bytes)), await rgbaOf(sharp(picture)))
})

test('convert does not offer BMP', async () => {
  const { status, error } = await post('convert', { format: 'bmp' }, { image })
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_params'])
})

test('resize keeps the format', async () => {
  const answer = await post('resize', { width: 60, height: 60 }, { image })
  await answeredPixels(answer, 60, 40)
  assert.equal(answer.headers.get('content-disposition'), 'attachment; filename="resized.bmp"')
})

test('crop keeps the format, and every pixel', async () => {
  const region = { x: 5, y: 6, width: 50, height: 30 }
  const cut = await answeredPixels(await post('crop', region, { image }), 50, 30)
  assert.deepEqual(cut, await rgbaOf(sharp(picture).extract({ left: 5, top: 6, width: 50, height: 30 })))
})

test('watermark keeps the format; a BMP can be the watermark, with its alpha', async () => {
  await answeredPixels(await post('watermark', { position: 'center' }, { image, watermark: logo }), WIDTH, HEIGHT)
  const base = await writtenBmp(solid(40, 20, '#ff0000'))
  const veil = await writtenBmp(sharp(logo))
  const rgba = await answeredPixels(
    await post('watermark', { position: 'center', scale: 1 }, { image: base, watermark: veil }),
    40,
    20,
  )
  assert.ok(near([...rgba.subarray(0, 4)], [127, 128, 0, 255], 2))
})

test('optimize drops colours at its default quality, and none at 100', async () => {
  const small = await post('optimize', {}, { image })
  await answeredPixels(small, WIDTH, HEIGHT)
  assert.ok(small.bytes.length < image.length / 2)
  const exact = await post('optimize', { quality: 100 }, { image })
  assert.deepEqual(await answeredPixels(exact, WIDTH, HEIGHT), await rgbaOf(sharp(picture)))
  assert.ok(exact.bytes.length <= image.length)
})

test('optimize finds the runs in a drawing, without loss', async () => {
  const drawing = await solid(200, 100, '#ffffff')
    .composite([{ input: logo, left: 30, top: 30 }])
    .png()
    .toBuffer()
  const plain = await writtenBmp(sharp(drawing))
  const { bytes } = await post('optimize', { quality: 100 }, { image: plain })
  assert.ok(bytes.length < plain.length / 3)
  assert.deepEqual(await readRgba(bytes), await readRgba(plain))
})

test('transparency is kept in BMP, and white in JPEG', async () => {
  const ghost = await writtenBmp(
    solid(20, 20, '#ff000000').composite([{ input: await solid(10, 20, '#0000ff').png().toBuffer(), left: 0, top: 0 }]),
  )
  const rgba = await answeredPixels(await post('crop', { x: 0, y: 0, width: 20, height: 10 }, { image: ghost }), 20, 10)
  assert.deepEqual([rgba[3], rgba[19 * 4 + 3]], [255, 0])
  const { bytes } = await post('convert', { format: 'jpeg' }, { image: ghost })
  assert.ok(near(await pixel(bytes, 17, 10), [255, 255, 255]))
})

const p3 = profileOf({
  red: [0.68, 0.32],
  green: [0.265, 0.69],
  blue: [0.15, 0.06],
  white: D65,
  curves: [sRgbCurve, sRgbCurve, sRgbCurve],
})
/** One pixel of rgb(200, 100, 50) and a profile. */
const pictureWithProfile = (profile: Buffer): Buffer =>
  bmpFile({
    header: 124,
    width: 1,
    height: 1,
    bits: 24,
    edit: (header) => {
      header.writeUInt32LE(0x4d424544, 56)
      header.writeUInt32LE(124 + 4, 112)
      header.writeUInt32LE(profile.length, 116)
    },
    pixels: Buffer.concat([Buffer.from([50, 100, 200, 0]), profile]),
  })

test('the colours of an embedded profile are converted to sRGB', async () => {
  const { bytes } = await post('convert', { format: 'png' }, { image: pictureWithProfile(p3) })
  assert.ok(near(await pixel(bytes, 0, 0), [216, 94, 31], 3), String(await pixel(bytes, 0, 0)))
})

test('with a damaged profile the image is still answered', async () => {
  const random = randomFrom(7)
  for (let round = 0; round < 40; round++) {
    const profile = Buffer.from(p3)
    for (let change = 0; change < 6; change++) profile[random(2) === 0 ? random(240) : random(profile.length)] = random(256)
    const { status, error } = await post('convert', { format: 'png' }, { image: pictureWithProfile(profile) })
    assert.ok(status === 200 || error?.statusMessage === 'invalid_image', `${round}: ${status} ${error?.statusMessage}`)
  }
})

for (const [name, encode, compression] of [
  ['JPEG', (pixels: Sharp) => pixels.jpeg(), 4],
  ['PNG', (pixels: Sharp) => pixels.png(), 5],
] as const) {
  const inside = await encode(sharp(picture)).toBuffer()
  const around = bmpFile({ header: 124, width: 9, height: 9, bits: 0, compression, pixels: inside })
  test(`a ${name} inside a BMP is read, and the answer is a BMP`, async () => {
    const rgba = await answeredPixels(
      await post('crop', { x: 0, y: 0, width: WIDTH, height: HEIGHT }, { image: around }),
      WIDTH,
      HEIGHT,
    )
    assert.deepEqual(rgba, await rgbaOf(sharp(inside)))
  })
}

for (const [kind, file] of Object.entries(everyBmp())) {
  test(`${kind}: resize and optimize answer with an image or with an error of the caller`, async () => {
    for (const [operation, fields] of [
      ['resize', { width: 5, height: 3, fit: 'fill' }],
      ['optimize', {}],
    ] as const) {
      const answer = await post(operation, fields, { image: file })
      if (kind === 'jpeg' || kind === 'png') assert.equal(answer.error?.statusMessage, 'invalid_image')
      else {
        const [width, height] = operation === 'resize' ? [5, 3] : [13, 7]
        await answeredPixels(answer, width, height)
      }
    }
  })
}

const refusedBytes: readonly (readonly [file: Buffer, code: string, message: RegExp])[] = [
  [
    bmpFile({ width: 1, height: 1, bits: 33, pixels: [0] }),
    'invalid_image',
    /^The image cannot be read: its header says 33 bits a pixel\.$/,
  ],
  [image.subarray(0, 54), 'invalid_image', /^The image cannot be read: it ends before its pixels\.$/],
  [bmpFile({ width: 60_000, height: 60_000, bits: 24, pixels: [0, 0, 0, 0] }), 'image_too_large', /3600\.0 megapixels/],
]
for (const [file, code, message] of refusedBytes) {
  test(`refuses a file: ${message.source}`, async () => {
    for (const operation of ['convert', 'optimize']) {
      const { status, error } = await post(operation, {}, { image: file })
      assert.deepEqual([status, error?.statusMessage], [400, code])
      assert.match(error?.message ?? '', message)
    }
  })
}
