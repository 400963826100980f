import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { stripJxl } from '@pixelmill/codecs/jxl/boxes'
import { jxl } from '@pixelmill/codecs/jxl/index'
import { jxlReader } from '@pixelmill/codecs/jxl/reader'
import { readBlocks } from '@pixelmill/codecs/metadata/read-blocks'
import { animatedGif, DELAYS, FRAMES, near, photo } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { runTask } from '../support/run-task.ts'

/** JPEG XL, read and written by libvips in WebAssembly. */

const make = async (bytes: Buffer, output: object, steps: object[] = []) => {
  const recipe = recipeSchema.parse({ steps, outputs: [output] })
  const { files, report } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, bytes)
  return { bytes: files[0] ?? assert.fail(), report: report.outputs[0] ?? assert.fail() }
}

const lossless = (pixels: Sharp, settings = {}) =>
  jxl.encodeExactly?.(pixels, { megapixels: 0.04, animation: undefined, ...settings }) ?? assert.fail()

describe('pixels that are written without loss are read again as they were', () => {
  test('in colour, with transparency, and grey', async () => {
    const colour = await photo(120, 80).raw().toBuffer()
    const raw = { width: 120, height: 80 }
    const again = await jxlReader.decode((await lossless(sharp(colour, { raw: { ...raw, channels: 3 } }))).bytes)
    assert.deepEqual([again.width, again.height, again.channels], [120, 80, 3])
    assert.ok(Buffer.from(again.data).equals(colour))

    const clear = await photo(120, 80).ensureAlpha(0.4).raw().toBuffer()
    const alpha = await jxlReader.decode((await lossless(sharp(clear, { raw: { ...raw, channels: 4 } }))).bytes)
    assert.ok(Buffer.from(alpha.data).equals(clear))

    const grey = await photo(120, 80).toColourspace('b-w').raw().toBuffer()
    const one = await jxlReader.decode((await lossless(sharp(grey, { raw: { ...raw, channels: 1 } }).toColourspace('b-w'))).bytes)
    assert.deepEqual([one.channels, Buffer.from(one.data).equals(grey)], [1, true])
  })

  test('with 16 bits a channel', async () => {
    const samples = Uint16Array.from({ length: 64 * 64 * 3 }, (_, index) => (index * 5) % 65_536)
    const deep = sharp(samples, { raw: { width: 64, height: 64, channels: 3 } }).toColourspace('rgb16')
    const { bytes } = await lossless(deep, { deep: true })
    const header = await jxlReader.header(bytes)
    assert.deepEqual([header.deep, header.bitDepth], [true, 16])
    assert.deepEqual((await jxlReader.decode(bytes)).data, samples)
  })
})

test('every door of a recipe: from JPEG XL, to it, and kept by it', async () => {
  const source = await photo(240, 160).jpeg({ quality: 95 }).toBuffer()
  const { bytes, report } = await make(source, { format: 'jxl' })
  assert.deepEqual([report.format, jxl.matches(bytes.subarray(0, 64))], ['jxl', true])
  assert.ok(bytes.length < source.length)
  const sameFormat = await make(bytes, { format: 'same' }, [{ resize: { width: 60 } }, { rotate: { angle: 90 } }])
  assert.deepEqual([sameFormat.report.format, sameFormat.report.width, sameFormat.report.height], ['jxl', 40, 60])
  for (const format of ['jpeg', 'png', 'webp', 'avif']) {
    const { bytes: other } = await make(bytes, { format })
    const { width, height } = await sharp(other).metadata()
    assert.deepEqual([width, height], [240, 160])
  }
  const result = await runTask('optimize', { quality: 75, metadata: 'none', icc: 'srgb', hdr: 'keep' }, bytes)
  assert.ok((result.files[0]?.length ?? 0) <= bytes.length)
})

test('an animation keeps its frames, delays and loops', async () => {
  const { bytes } = await make(await animatedGif(), { format: 'jxl', quality: 95 })
  const { frames, delay, loop } = await jxlReader.header(bytes)
  assert.deepEqual([frames, delay, loop], [3, DELAYS, 2])
  const { bytes: webp } = await make(bytes, { format: 'webp', quality: 95 }, [{ resize: { width: 60 } }])
  const metadata = await sharp(webp).metadata()
  assert.deepEqual([metadata.pages, metadata.delay], [3, DELAYS])
  for (const [page, colour] of FRAMES.entries()) {
    const [red, green, blue] = await sharp(webp, { page }).removeAlpha().raw().toBuffer()
    const expected = [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
    assert.ok(near([red ?? 0, green ?? 0, blue ?? 0], expected, 70), `${page}: ${red},${green},${blue}`)
  }
})

test('colours beyond sRGB are kept with icc=keep, and metadata as asked', async () => {
  const wide = await photo(60, 40).png().withIccProfile('p3').toBuffer()
  const { bytes } = await make(wide, { format: 'jxl', icc: 'keep', quality: 95 })
  assert.ok((await jxlReader.decode(bytes)).icc)
  const { bytes: again } = await make(bytes, { format: 'png', icc: 'keep' })
  assert.ok((await sharp(again).metadata()).icc)
  const source = await photo(60, 40)
    .jpeg()
    .withExif({ IFD0: { Artist: 'Ana Sol' } })
    .toBuffer()
  const { bytes: carrying } = await make(source, { format: 'jxl', metadata: 'copyright' })
  assert.ok(readBlocks(carrying, codecs.jxl).exif?.includes('Ana Sol'))
  const { bytes: none } = await make(source, { format: 'jxl' })
  assert.deepEqual(readBlocks(none, codecs.jxl), { exif: undefined, xmp: undefined })
  const strippedFile = stripJxl(carrying)
  assert.equal(strippedFile.includes('Ana Sol'), false)
  assert.equal((await jxlReader.header(strippedFile)).width, 60)
})

test('a codestream in parts, and boxes that the decoder does not know, are read', async () => {
  const { bytes } = await lossless(photo(32, 32))
  const container = codecs.jxl.container?.write(bytes, { xmp: Buffer.from('<x/>') }, { width: 32, height: 32 }) ?? assert.fail()
  assert.equal(container[0], 0)
  assert.deepEqual((await jxlReader.decode(container)).data, (await jxlReader.decode(bytes)).data)
})

test('damaged files are refused, and the decoder works on', async () => {
  const { bytes } = await make(await photo(96, 96).jpeg().toBuffer(), { format: 'jxl' })
  let refusals = 0
  for (let nth = 0; nth < 150; nth++) {
    const copy = Buffer.from(bytes)
    for (let flip = 0; flip < 3; flip++)
      copy[2 + ((nth * 7_919 + flip * 104_729) % (copy.length - 2))] = (nth * 37 + flip * 91) % 256
    const file = nth % 3 === 0 ? bytes.subarray(0, 3 + nth * 4) : copy
    const result = await make(file, { format: 'png' }).catch((error: unknown) => error)
    if (result instanceof ImageError) {
      assert.match(result.code, /^(invalid_image|image_too_large|invalid_image_type)$/)
      refusals++
    }
  }
  assert.ok(refusals > 50, `${refusals}`)
  assert.equal((await make(bytes, { format: 'png' })).report.width, 96)
})

test('a picture of more pixels than its memory holds is refused by its header', async () => {
  const black = sharp(Buffer.alloc(5_600 * 5_600), { raw: { width: 5_600, height: 5_600, channels: 1 } }).toColourspace('b-w')
  const { bytes } = await (jxl.levels ?? assert.fail()).write(black, { megapixels: 31.4, animation: undefined }, 50)
  await assert.rejects(make(bytes, { format: 'png' }), {
    code: 'image_too_large',
    message: 'Send an image of at most 30 megapixels; it has 31.4 megapixels.',
  })
})
