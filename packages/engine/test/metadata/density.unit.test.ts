import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import { jxl } from '@pixelmill/codecs/jxl/index'
import { densityOf, exifWithDensity, withDensity } from '@pixelmill/codecs/metadata/density'
import { bmpFile } from '@pixelmill/codecs/test/support/bmp'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { withoutDensity } from '@pixelmill/codecs/without-density'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { chunk, numbers, withChunk } from '../support/png.ts'
import { runTask } from '../support/run-task.ts'

/** Density is the source's, or absent. */

const targets = ['jpeg', 'png', 'tiff', 'webp', 'avif', 'jxl', 'gif'] as const
const inHeaders: readonly string[] = ['jpeg', 'png', 'tiff']
const inExif: readonly string[] = ['webp', 'avif', 'jxl']

const size = { width: 60, height: 40 }
const pixels = await photo(size.width, size.height).png().toBuffer()
const files = (['jpeg', 'png', 'tiff', 'webp', 'avif', 'gif'] as const).map(
  async (format) => [format, withoutDensity(await sharp(pixels)[format]().toBuffer(), format)] as const,
)
const jxlFile = (await jxl.encode(sharp(pixels), { quality: 95, megapixels: 0.01, animation: undefined })).bytes
/** Files without a density, which sharp writes into some. */
const bare: Readonly<Record<string, Buffer>> = { ...Object.fromEntries(await Promise.all(files)), jxl: jxlFile }
const bareOf = (format: string) => bare[format] ?? assert.fail()
const { jpeg, png } = { jpeg: bareOf('jpeg'), png: bareOf('png') }
const exif = exifWithDensity(undefined, { x: 300, y: 300 })
const withExif = (file: Buffer, format: FormatName) => codecs[format].container?.write(file, { exif }, size) ?? assert.fail()

/** A BMP's header names pixels a metre. */
const bitmap = bmpFile({ ...size, bits: 24, pixels: Buffer.alloc(60 * 40 * 3) })
bitmap.writeInt32LE(11_811, 38)
bitmap.writeInt32LE(11_811, 42)

/** Files of 300 pixels an inch, by every way to say it. */
const sources: Readonly<Record<string, readonly [file: Buffer, format: FormatName]>> = {
  'JFIF in inches': [withDensity(jpeg, codecs.jpeg, { x: 300, y: 300 }), 'jpeg'],
  'EXIF in JPEG': [withExif(jpeg, 'jpeg'), 'jpeg'],
  'pHYs in PNG': [withChunk(png, chunk('pHYs', numbers(11_811, 11_811), Buffer.from([1]))), 'png'],
  'EXIF in PNG': [withExif(png, 'png'), 'png'],
  'TIFF in centimetres': [await photo(60, 40).tiff({ xres: 11.811, yres: 11.811, resolutionUnit: 'cm' }).toBuffer(), 'tiff'],
  'the header of a BMP': [bitmap, 'bmp'],
  'EXIF in WebP': [withExif(bareOf('webp'), 'webp'), 'webp'],
  'EXIF in AVIF': [withExif(bareOf('avif'), 'avif'), 'avif'],
  'EXIF in JPEG XL': [withExif(bareOf('jxl'), 'jxl'), 'jxl'],
}

const convertAll = async (source: Buffer, metadata: 'none' | 'all', steps: readonly object[] = [{ resize: { width: 30 } }]) => {
  const outputs = targets.map((format) => ({ name: format, format, metadata }))
  const { files } = await runTask(
    'recipe',
    { recipe: recipeSchema.parse({ steps, outputs }), files: [], accepts: [], allows: [] },
    source,
  )
  return targets.map((format, index) => [format, files[index] ?? assert.fail()] as const)
}

const optimize = async (source: Buffer) => {
  const { files } = await runTask('optimize', { quality: 100, metadata: 'none', icc: 'srgb', hdr: 'keep' }, source)
  return files[0] ?? assert.fail()
}

for (const [name, [file, format]] of Object.entries(sources)) {
  test(`${name} is kept where the answer's format has a place for it`, async () => {
    const roundedDensity = (bytes: Buffer, of: FormatName) => {
      const { x, y } = densityOf(bytes, codecs[of]) ?? { x: 0, y: 0 }
      return [Math.round(x), Math.round(y)]
    }
    assert.deepEqual(roundedDensity(file, format), [300, 300])
    for (const metadata of ['none', 'all'] as const)
      for (const [target, bytes] of await convertAll(file, metadata)) {
        const isKept = inHeaders.includes(target) || (metadata === 'all' && inExif.includes(target))
        assert.deepEqual(roundedDensity(bytes, target), isKept ? [300, 300] : [0, 0], `${target}, ${metadata}`)
        if (target !== 'jxl') assert.equal((await sharp(bytes).metadata()).width, 30, target)
      }
    if (inHeaders.includes(format)) assert.deepEqual(roundedDensity(await optimize(file), format), [300, 300])
  })
}

test('none is invented', async () => {
  for (const [format, file] of Object.entries(bare)) {
    assert.equal(densityOf(file, codecs[format as FormatName]), undefined, format)
    for (const [target, bytes] of await convertAll(file, 'all'))
      assert.equal(densityOf(bytes, codecs[target]), undefined, `${format} to ${target}`)
    assert.equal(densityOf(await optimize(file), codecs[format as FormatName]), undefined, format)
  }
  const shape = withChunk(png, chunk('pHYs', numbers(2, 2), Buffer.from([0])))
  for (const [target, bytes] of await convertAll(shape, 'none')) assert.equal(densityOf(bytes, codecs[target]), undefined, target)
})

test('pixels that are not square: only where nothing moves them', async () => {
  const uneven = withChunk(png, chunk('pHYs', numbers(11_811, 5_906), Buffer.from([1])))
  const of = async (steps: readonly object[]) =>
    (await convertAll(uneven, 'none', steps)).map(([target, bytes]) => densityOf(bytes, codecs[target])).slice(0, 2)
  assert.deepEqual(await of([]), [
    { x: 300, y: 150 },
    { x: 300, y: 150 },
  ])
  assert.deepEqual(await of([{ rotate: { angle: 90 } }]), [undefined, undefined])
})

test('a JPEG of which JFIF would change the colours gets none', () => {
  const adobe = Buffer.concat([
    jpeg.subarray(0, 2),
    Buffer.from('\xff\xee\0\x0eAdobe\0\x64\0\0\0\0\x01', 'latin1'),
    jpeg.subarray(2),
  ])
  assert.deepEqual(withDensity(adobe, codecs.jpeg, { x: 300, y: 300 }), adobe)
})
