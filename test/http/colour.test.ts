import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp, { type Sharp } from 'sharp'
import { profileOf } from '../../src/codecs/icc-profile.ts'
import { D65, gammaCurve, type RgbSpace, SRGB, sRgbCurve } from '../../src/codecs/rgb-space.ts'
import { near, solid } from '../support/pictures.ts'
import { chunk, numbers, withChunk } from '../support/png.ts'
import { difference, missing, produce } from '../support/reference.ts'
import { sharedServer } from '../support/shared-server.ts'

/** The same picture in many colour spaces, against how LittleCMS and ImageMagick show it. */

const { post } = sharedServer()

/** What the eye takes for the same, of 255. */
const ALIKE = 2

const threeOf = <Curve>(curve: Curve) => [curve, curve, curve] as const
const spaces = {
  sRGB: SRGB,
  'Display P3': { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65, curves: threeOf(sRgbCurve) },
  'Adobe RGB': { red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: D65, curves: threeOf(gammaCurve(2.2)) },
} as const satisfies Record<string, RgbSpace>
const srgb = profileOf(spaces.sRGB)

/** Every hue, from pale to full and from light to dark, in smooth steps that survive JPEG. */
async function hues(): Promise<Buffer> {
  const [width, height] = [96, 64]
  const data = Buffer.alloc(width * height * 3)
  for (let y = 0, at = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      for (const third of [0, 1, 2]) {
        const hue = 0.5 + 0.5 * Math.cos(2 * Math.PI * (x / width - third / 3))
        data[at++] = Math.round(255 * (0.15 + 0.8 * hue * (1 - y / height) + (0.6 * y) / height) * 0.8)
      }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()
}
const picture = await hues()
/** The sRGB colour of every answer: the picture itself, read with another meaning, is another picture. */
const shownBy = (image: Buffer) =>
  produce('convert', ['in', '-profile', 'srgb.icc', '-depth', '8', 'out.png'], { in: image, 'srgb.icc': srgb }, 'out.png')

const mark = await solid(2, 2, '#ffffff00').png().toBuffer()
/** libtiff would be asked for JPEG otherwise, which has 8 bits. */
const LOSSLESS = { compression: 'lzw' } as const
/** Every operation, at the size and with the colours as they are. */
const operations = [
  ['convert', { format: 'png' }],
  ['resize', { width: 96, height: 64 }],
  ['crop', { x: 0, y: 0, width: 96, height: 64 }],
  ['optimize', { quality: 100 }],
  ['watermark', { scale: 0.02 }],
] as const

async function assertShown(image: Buffer, reference: Buffer): Promise<void> {
  for (const [operation, fields] of operations) {
    const answer = await post(operation, fields, operation === 'watermark' ? { image, watermark: mark } : { image })
    assert.equal(answer.status, 200, `${operation}: ${answer.error?.message}`)
    const apart = await difference(answer.bytes, reference)
    assert.ok(apart < ALIKE, `${operation} is ${apart.toFixed(2)} apart`)
  }
}

const deep = (image: Sharp) => image.toColourspace('rgb16')
const files = {
  'an 8-bit PNG': ['png:out', []],
  'a 16-bit PNG': ['png:out', ['-depth', '16', '-define', 'png:bit-depth=16']],
  'an 8-bit TIFF': ['tiff:out', ['-depth', '8']],
  'a 16-bit TIFF': ['tiff:out', ['-depth', '16']],
  'a TIFF of floats': ['tiff:out', ['-depth', '32', '-define', 'quantum:format=floating-point']],
  'a JPEG': ['jpeg:out', ['-quality', '98', '-sampling-factor', '1x1']],
  'a WebP': ['webp:out', ['-define', 'webp:lossless=true']],
} as const

for (const [space, definition] of Object.entries(spaces)) {
  for (const [file, [out, options]] of Object.entries(files)) {
    test(`${space} in ${file} becomes sRGB that looks the same`, { skip: missing('convert') }, async () => {
      const image = produce(
        'convert',
        ['in.png', '-profile', 'srgb.icc', '-profile', 'space.icc', ...options, out],
        { 'in.png': picture, 'srgb.icc': srgb, 'space.icc': profileOf(definition) },
        'out',
      )
      assert.ok((await sharp(image).metadata()).icc)
      await assertShown(image, shownBy(image))
    })
  }
}

for (const format of ['png', 'tiff'] as const) {
  test(`a 16-bit ${format} with a profile stays 16-bit where the format is kept`, async () => {
    const image = await deep(sharp(picture))
      .withIccProfile('p3')
      [format](format === 'tiff' ? LOSSLESS : {})
      .toBuffer()
    assert.equal((await sharp(image).metadata()).depth, 'ushort')
    for (const [operation, fields] of operations.slice(1)) {
      const { bytes } = await post(operation, fields, operation === 'watermark' ? { image, watermark: mark } : { image })
      const { depth, format: kept, icc } = await sharp(bytes).metadata()
      assert.deepEqual([depth, kept, icc], ['ushort', format, undefined], operation)
      assert.ok((await difference(bytes, picture)) < ALIKE, operation)
    }
  })
}

const cmyk = await sharp(picture).withIccProfile('cmyk').jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer()
/** Of an offset press: what libvips, too, takes CMYK for that does not say what it is. */
const inks = (await sharp(cmyk).metadata()).icc ?? Buffer.alloc(0)
/** Perceptual, into LittleCMS's own sRGB. */
const lcms = ['-t0']

test('CMYK with a profile, in a JPEG, is shown as LittleCMS shows it', { skip: missing('jpgicc') }, async () => {
  assert.equal((await sharp(cmyk).metadata()).space, 'cmyk')
  await assertShown(cmyk, produce('jpgicc', [...lcms, '-q100', 'in.jpg', 'out.jpg'], { 'in.jpg': cmyk }, 'out.jpg'))
})

test('CMYK with a profile, in a TIFF, is shown as LittleCMS shows it', { skip: missing('tificc') }, async () => {
  const image = await sharp(picture).withIccProfile('cmyk').tiff({ compression: 'lzw' }).toBuffer()
  assert.equal((await sharp(image).metadata()).space, 'cmyk')
  await assertShown(image, produce('tificc', [...lcms, 'in.tif', 'out.tif'], { 'in.tif': image }, 'out.tif'))
})

test('CMYK without a profile is taken for the inks of an offset press', { skip: missing('jpgicc', 'convert') }, async () => {
  const image = produce('convert', ['in.jpg', '-quality', '98', '+profile', '*', 'out.jpg'], { 'in.jpg': cmyk }, 'out.jpg')
  assert.equal((await sharp(image).metadata()).icc, undefined)
  await assertShown(
    image,
    produce('jpgicc', [...lcms, '-q100', '-iinks.icc', 'in.jpg', 'out.jpg'], { 'in.jpg': image, 'inks.icc': inks }, 'out.jpg'),
  )
})

for (const depth of [8, 16]) {
  test(`CIELAB in a TIFF of ${depth} bits is shown as ImageMagick shows it`, { skip: missing('convert') }, async () => {
    const options = ['-colorspace', 'Lab', '-depth', String(depth), '-compress', 'LZW', 'tiff:out']
    const image = produce('convert', ['in.png', ...options], { 'in.png': picture }, 'out')
    await assertShown(image, shownBy(image))
  })

  test(`grey of ${depth} bits stays grey, of the same lightness`, { skip: missing('convert') }, async () => {
    for (const format of ['png', 'tiff']) {
      const options = ['-colorspace', 'Gray', '-depth', String(depth), `${format}:out`]
      const image = produce('convert', ['in.png', ...options], { 'in.png': picture }, 'out')
      await assertShown(image, shownBy(image))
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
  await assertShown(image, base)
})

test('a PNG of linear light (gAMA 1) is shown as bright as it is, of 8 and 16 bits, colour and grey', async () => {
  for (const space of ['srgb', 'rgb16', 'b-w', 'grey16'] as const) {
    const linear = await solid(96, 64, '#808080').toColourspace(space).png().toBuffer()
    await assertShown(withChunk(linear, chunk('gAMA', numbers(100_000))), await solid(96, 64, '#bcbcbc').png().toBuffer())
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
  for (const named of [byPoints, byPrimaries])
    await assertShown(withChunk(wide, named, ['iCCP', 'sRGB', 'gAMA', 'cHRM']), picture)
})

test('the fullest colours of 16 bits stay as full', async () => {
  const corners = Uint16Array.from([0xff_ff, 0, 0, 0, 0xff_ff, 0, 0, 0, 0xff_ff, 0xff_ff, 0xff_ff, 0xff_ff])
  const raw = { width: 4, height: 1, channels: 3 } as const
  const image = await deep(sharp(corners, { raw })).withIccProfile('srgb').png().toBuffer()
  const { bytes } = await post('convert', { format: 'png' }, { image })
  const shown = await sharp(bytes).raw().toBuffer()
  assert.ok(near([...shown], [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255], 1), String([...shown]))
})
