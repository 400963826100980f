import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileOf } from '@pixelmill/codecs/icc-profile'
import { D65, gammaCurve, type RgbSpace, SRGB } from '@pixelmill/codecs/rgb-space'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { sRgbCurve } from '@pixelmill/kernels/srgb'
import sharp from 'sharp'
import type { caller } from './call.ts'
import { difference, missing, produce } from './reference.ts'

/** The same picture in many colour spaces, compared with how LittleCMS and ImageMagick show it. */

type Post = ReturnType<typeof caller>['post']

/** A difference that the eye does not see, of 255. */
export const ALIKE = 2

const threeOf = <Curve>(curve: Curve) => [curve, curve, curve] as const
const spaces = {
  sRGB: SRGB,
  'Display P3': { red: [0.68, 0.32], green: [0.265, 0.69], blue: [0.15, 0.06], white: D65, curves: threeOf(sRgbCurve) },
  'Adobe RGB': { red: [0.64, 0.33], green: [0.21, 0.71], blue: [0.15, 0.06], white: D65, curves: threeOf(gammaCurve(2.2)) },
} as const satisfies Record<string, RgbSpace>
const srgb = profileOf(spaces.sRGB)

/** Every hue, from pale to full and from light to dark, in smooth steps that survive JPEG. */
async function hues(): Promise<Buffer> {
  const width = 96
  const height = 64
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
export const picture = await hues()
/** The sRGB colour of every answer: the picture itself, read with another meaning, is another picture. */
const shownBy = (image: Buffer) =>
  produce('convert', ['in', '-profile', 'srgb.icc', '-depth', '8', 'out.png'], { in: image, 'srgb.icc': srgb }, 'out.png')

export const mark = await solid(2, 2, '#ffffff00').png().toBuffer()
/** Every operation, with parameters that change neither size nor colours. */
export const operations = [
  ['convert', { format: 'png' }],
  ['resize', { width: 96, height: 64 }],
  ['crop', { x: 0, y: 0, width: 96, height: 64 }],
  ['optimize', { quality: 100 }],
  ['watermark', { scale: 0.02 }],
] as const

type Operation = (typeof operations)[number]
const [convert] = operations

/** Asserts that operations answer a picture that looks like the reference. */
export async function assertShown(
  post: Post,
  image: Buffer,
  reference: Buffer,
  some: readonly Operation[] = operations,
): Promise<void> {
  for (const [operation, fields] of some) {
    const answer = await post(operation, fields, operation === 'watermark' ? { image, watermark: mark } : { image })
    assert.equal(answer.status, 200, `${operation}: ${answer.error?.message}`)
    const apart = await difference(answer.bytes, reference)
    assert.ok(apart < ALIKE, `${operation} is ${apart.toFixed(2)} apart`)
  }
}

const files = {
  'an 8-bit PNG': ['png:out', []],
  'a 16-bit PNG': ['png:out', ['-depth', '16', '-define', 'png:bit-depth=16']],
  'an 8-bit TIFF': ['tiff:out', ['-depth', '8']],
  'a 16-bit TIFF': ['tiff:out', ['-depth', '16']],
  'a TIFF of floats': ['tiff:out', ['-depth', '32', '-define', 'quantum:format=floating-point']],
  'a JPEG': ['jpeg:out', ['-quality', '98', '-sampling-factor', '1x1']],
  'a WebP': ['webp:out', ['-define', 'webp:lossless=true']],
} as const

const cmyk = await sharp(picture).withIccProfile('cmyk').jpeg({ quality: 98, chromaSubsampling: '4:4:4' }).toBuffer()
/** Of an offset press: what libvips, too, takes CMYK for that does not say what it is. */
const inks = (await sharp(cmyk).metadata()).icc ?? Buffer.alloc(0)
/** Perceptual, into LittleCMS's own sRGB. */
const lcms = ['-t0']

/** Tests of each colour space and file; `all` sends each to every operation, otherwise one of each kind is, and the others are converted. */
export function testColours(post: Post, all: boolean): void {
  const most: readonly Operation[] = all ? operations : [convert]
  for (const [space, definition] of Object.entries(spaces)) {
    // Every kind of file in one colour space, and every colour space in one kind.
    const kinds = Object.entries(files).filter(([file]) => all || space === 'Display P3' || file === 'a 16-bit PNG')
    for (const [file, [out, options]] of kinds) {
      test(`${space} in ${file} becomes sRGB that looks the same`, { skip: missing('convert') }, async () => {
        const image = produce(
          'convert',
          ['in.png', '-profile', 'srgb.icc', '-profile', 'space.icc', ...options, out],
          { 'in.png': picture, 'srgb.icc': srgb, 'space.icc': profileOf(definition) },
          'out',
        )
        assert.ok((await sharp(image).metadata()).icc)
        // The picture itself is within every space; ImageMagick, which takes 0.1 s, shows it with the losses of the file.
        await assertShown(
          post,
          image,
          all ? shownBy(image) : picture,
          space === 'Display P3' && file === 'a JPEG' ? operations : most,
        )
      })
    }
  }

  test('CMYK with a profile, in a JPEG, is shown as LittleCMS shows it', { skip: missing('jpgicc') }, async () => {
    assert.equal((await sharp(cmyk).metadata()).space, 'cmyk')
    await assertShown(post, cmyk, produce('jpgicc', [...lcms, '-q100', 'in.jpg', 'out.jpg'], { 'in.jpg': cmyk }, 'out.jpg'), most)
  })

  test('CMYK with a profile, in a TIFF, is shown as LittleCMS shows it', { skip: missing('tificc') }, async () => {
    const image = await sharp(picture).withIccProfile('cmyk').tiff({ compression: 'lzw' }).toBuffer()
    assert.equal((await sharp(image).metadata()).space, 'cmyk')
    await assertShown(post, image, produce('tificc', [...lcms, 'in.tif', 'out.tif'], { 'in.tif': image }, 'out.tif'), most)
  })

  test('CMYK without a profile is taken for the inks of an offset press', { skip: missing('jpgicc', 'convert') }, async () => {
    const image = produce('convert', ['in.jpg', '-quality', '98', '+profile', '*', 'out.jpg'], { 'in.jpg': cmyk }, 'out.jpg')
    assert.equal((await sharp(image).metadata()).icc, undefined)
    await assertShown(
      post,
      image,
      produce('jpgicc', [...lcms, '-q100', '-iinks.icc', 'in.jpg', 'out.jpg'], { 'in.jpg': image, 'inks.icc': inks }, 'out.jpg'),
      most,
    )
  })

  for (const depth of [8, 16]) {
    test(`CIELAB in a TIFF of ${depth} bits is shown as ImageMagick shows it`, { skip: missing('convert') }, async () => {
      const options = ['-colorspace', 'Lab', '-depth', String(depth), '-compress', 'LZW', 'tiff:out']
      const image = produce('convert', ['in.png', ...options], { 'in.png': picture }, 'out')
      await assertShown(post, image, shownBy(image), most)
    })

    test(`grey of ${depth} bits stays grey, of the same lightness`, { skip: missing('convert') }, async () => {
      for (const format of all ? ['png', 'tiff'] : [depth === 8 ? 'png' : 'tiff']) {
        const options = ['-colorspace', 'Gray', '-depth', String(depth), `${format}:out`]
        const image = produce('convert', ['in.png', ...options], { 'in.png': picture }, 'out')
        await assertShown(post, image, shownBy(image), most)
      }
    })
  }
}
