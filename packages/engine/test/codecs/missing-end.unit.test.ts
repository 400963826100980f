import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { box } from '@pixelmill/codecs/isobmff/boxes'
import { stripJpeg } from '@pixelmill/codecs/jpeg-segments'
import { withBoxes } from '@pixelmill/codecs/jxl/boxes'
import { jxl } from '@pixelmill/codecs/jxl/index'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { animatedGif, animatedWebp, photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { recipeSchema } from '../../src/recipe/recipe.ts'
import { run } from '../../src/way-of-a-picture.ts'
import { runTask } from '../support/run-task.ts'

/** An odd size, so that the last blocks are not full. */
const source = await photo(75, 45).png().toBuffer()
const picture = () => sharp(source)
const withExif = () => picture().withExif({ IFD0: { Copyright: 'Somebody, in a year before this one' } })

const toPng = recipeSchema.parse({ outputs: [{ format: 'png' }] })
const toJpeg = recipeSchema.parse({ outputs: [{ format: 'jpeg' }] })
async function convert(file: Buffer, recipe = toPng) {
  const { files, report } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, file)
  const [png = Buffer.alloc(0)] = files
  return { pixels: await sharp(png).raw().toBuffer(), warnings: report.outputs[0]?.warnings }
}

interface Kind {
  readonly name: string
  readonly file: Buffer
  /** Bytes at the end without which all rows are there, and without which they are not; 0 for none. */
  readonly more: readonly number[]
  readonly tooMany: readonly number[]
}

const whole = async (
  name: string,
  file: Promise<Buffer>,
  more: readonly number[],
  tooMany: readonly number[],
): Promise<Kind> => ({
  name,
  file: await file,
  more,
  tooMany,
})
const codestream = (await jxl.encode(picture(), { quality: 90, megapixels: 0.01, animation: undefined })).bytes
const container = Buffer.concat([withBoxes(codestream, []), box('free', Buffer.alloc(40))])

const kinds: readonly Kind[] = [
  // Two bytes are the EOI marker; six and more are codes of the last blocks.
  await whole('JPEG', picture().jpeg({ quality: 95 }).toBuffer(), [1, 2], [8, 30, 300]),
  await whole('progressive JPEG', picture().jpeg({ quality: 95, progressive: true }).toBuffer(), [1, 2], [8, 30, 300]),
  await whole('grey JPEG', picture().greyscale().jpeg({ quality: 95 }).toBuffer(), [1, 2], [8, 30, 300]),
  await whole('CMYK JPEG', picture().toColourspace('cmyk').jpeg({ quality: 95 }).toBuffer(), [1, 2], [8, 30, 300]),
  // The last chunk has twelve bytes, and the checksum before it four.
  await whole('PNG', Promise.resolve(source), [1, 4, 8, 12, 16], [40, 300]),
  await whole('interlaced PNG', picture().png({ progressive: true }).toBuffer(), [1, 12, 16], [40, 300]),
  // The trailer, and the empty sub-block.
  await whole('GIF', picture().gif().toBuffer(), [1, 2], [8, 300]),
  await whole('WebP with EXIF', withExif().webp({ quality: 90 }).toBuffer(), [1, 20, 60], [300]),
  await whole('AVIF with EXIF', withExif().avif({ effort: 0 }).toBuffer(), [1, 20, 60], [600]),
  await whole('JPEG XL in a container', Promise.resolve(container), [1, 30], [60, 300]),
]

for (const { name, file, more, tooMany } of kinds) {
  test(`a ${name} that lacks its end alone is a picture, with a warning`, async () => {
    const complete = await convert(file)
    assert.deepEqual(complete.warnings, [])
    for (const bytes of more) {
      const { pixels, warnings } = await convert(file.subarray(0, -bytes))
      assert.deepEqual(warnings, ['missing_end'], `${bytes} bytes less`)
      assert.ok(pixels.equals(complete.pixels), `other pixels, ${bytes} bytes less`)
    }
  })
  test(`a ${name} that lacks rows is refused`, async () => {
    for (const bytes of tooMany) {
      await assert.rejects(
        convert(file.subarray(0, -bytes)),
        ({ code }: ImageError) => code === 'invalid_image',
        `${bytes} bytes`,
      )
    }
  })
}

test('bytes that belong to no row may stand in the place of the EOI marker', async () => {
  const jpeg = await picture().jpeg({ progressive: true }).toBuffer()
  const { pixels } = await convert(jpeg)
  const result = await convert(Buffer.concat([jpeg.subarray(0, -2), Buffer.alloc(500)]))
  assert.deepEqual(result.warnings, ['missing_end'])
  assert.ok(result.pixels.equals(pixels))
})

test('a cut frame ends an animation; a missing trailer does not', async () => {
  const gif = await animatedGif()
  const webp = await animatedWebp()
  const info = async (file: Buffer) => (await runTask('info', { fields: ['frames'] }, file)).report
  assert.deepEqual(await info(gif.subarray(0, -1)), { frames: 3 })
  assert.deepEqual(await info(gif.subarray(0, -8)), { frames: 2 })
  assert.deepEqual(await info(webp.subarray(0, -8)), { frames: 2 })
  assert.deepEqual((await convert(gif.subarray(0, -1), toJpeg)).warnings, ['first_frame_only', 'missing_end'])
  assert.deepEqual((await convert(webp.subarray(0, -8), toJpeg)).warnings, ['first_frame_only', 'later_frames_damaged'])
})

test('a TIFF whose directory is cut is refused: libtiff would take other depths and tables', async () => {
  const tiff = await picture().tiff({ compression: 'none' }).toBuffer()
  for (const bytes of [1, 8, 12, 16, 40]) {
    const cut = convert(tiff.subarray(0, -bytes))
    await assert.rejects(cut, ({ code }: ImageError) => code === 'invalid_image', `${bytes} bytes less`)
  }
})

test('a file that optimize sends back as it came has the warning too', async () => {
  const small = (await sharp(source).jpeg({ quality: 20, mozjpeg: true }).toBuffer()).subarray(0, -2)
  const { report, files } = await runTask('optimize', { quality: 100, metadata: 'none', icc: 'srgb', hdr: 'keep' }, small)
  assert.deepEqual(report.warnings, ['missing_end'])
  assert.ok((files[0]?.length ?? 0) <= small.length)
})

test('a JPEG that is packed into JPEG XL gets its end first', async () => {
  const jpeg = await picture().jpeg().toBuffer()
  const recipe = recipeSchema.parse({ outputs: [{ format: 'jxl' }] })
  const params = { recipe, files: [], accepts: [], allows: [] }
  const programs = { ...NO_PROGRAMS, cjxl: true }
  const result = await run({ task: 'recipe', params }, [jpeg.subarray(0, -2)], { megapixels: 100 }, programs)
  assert.ok('files' in result)
  assert.equal(result.finish?.[0]?.program, 'cjxl')
  assert.ok(result.files[0]?.equals(stripJpeg(jpeg)))
})
