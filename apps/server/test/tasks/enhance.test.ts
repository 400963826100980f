import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import type { Header } from '@pixelmill/codecs/pixels/header'
import { bmpFile } from '@pixelmill/codecs/test/support/bmp'
import { encode, heif, picture } from '@pixelmill/codecs/test/support/heif'
import { animatedGif, near, photo, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { codecsFor } from '@pixelmill/engine/tasks/enhance'
import type { Intensity, Mode } from '@pixelmill/vision/enhance/choose'
import sharp from 'sharp'
import { openPool } from '../support/rendering.ts'

const pool = openPool()
after(() => pool.close())
const enhance = (
  file: Buffer,
  mode: Mode,
  { intensity = 2, preview = true }: { intensity?: Intensity; preview?: boolean } = {},
) => pool.run('enhance', { mode, intensity, preview }, [[file]], new AbortController().signal)

const SECRET = 'Taken by A. Author'
const noisy = () =>
  sharp({
    create: { width: 304, height: 200, channels: 3, background: '#789', noise: { type: 'gaussian', mean: 120, sigma: 12 } },
  })

test('noise is found, removed and reported', async () => {
  const file = await noisy().png().toBuffer()
  const { report, files } = await enhance(file, 'auto')
  assert.equal(report.mode, 'denoise')
  assert.equal(report.requestedMode, 'auto')
  assert.deepEqual(
    report.operations.map(({ name }) => name),
    ['denoise'],
  )
  assert.deepEqual(report.original, { width: 304, height: 200, bytes: file.length, format: 'png' })
  assert.deepEqual(report.enhanced, { width: 304, height: 200, bytes: files[0]?.length, format: 'png' })
  assert.ok(report.metrics.noiseBefore > 10 && report.metrics.noiseBefore < 14, `${report.metrics.noiseBefore}`)
  assert.ok(report.metrics.noiseAfter < 2, `${report.metrics.noiseAfter}`)
  const { channels } = await sharp(files[0]).stats()
  assert.ok(channels.every(({ stdev }) => stdev < 3))
})

const encodings = { jpeg: { quality: 95 }, png: {}, webp: {}, tiff: { compression: 'lzw' } } as const
for (const format of Object.keys(encodings) as (keyof typeof encodings)[]) {
  test(`a clean picture is returned unchanged, without its metadata: ${format}`, async () => {
    const taggedSharp = sharp(await photo().png().toBuffer())
      .blur(1)
      .withExif({ IFD0: { Copyright: SECRET } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`)
    const film = Buffer.from(format === 'tiff' ? '' : `a film of ${SECRET}`)
    const file = Buffer.concat([await taggedSharp.toFormat(format, encodings[format]).toBuffer(), film])
    assert.ok(file.includes(SECRET))
    const { report, files } = await enhance(file, 'denoise')
    assert.deepEqual(report.operations, [])
    const [back = Buffer.alloc(0)] = files
    assert.equal(back.includes(SECRET), false)
    assert.equal(report.enhanced.bytes, back.length)
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    assert.deepEqual(await pixels(back), await pixels(file))
  })
}

test('a picture of one colour, of one pixel or fully transparent has nothing to enhance', async () => {
  for (const [width, height, colour] of [
    [1, 3, '#336699'],
    [64, 64, '#336699'],
    [1, 1, '#336699'],
    [40, 30, '#00000000'],
  ] as const) {
    const file = await solid(width, height, colour).png().toBuffer()
    for (const mode of ['auto', 'denoise', 'deblur'] as const) {
      const { report } = await enhance(file, mode)
      assert.deepEqual(report.operations, [])
    }
    const { report, files } = await enhance(file, 'upscale')
    assert.deepEqual([report.enhanced.width, report.enhanced.height], [2 * width, 2 * height])
    // A grey picture may have been written with one channel beside alpha.
    const pixelsOf = (bytes: Buffer | undefined) => sharp(bytes).toColourspace('srgb').ensureAlpha().png().toBuffer()
    const [twice, once] = await Promise.all([files[0], file].map(async (bytes) => sharp(await pixelsOf(bytes)).stats()))
    assert.deepEqual(
      twice?.channels.map(({ min, max }) => [min, max]),
      once?.channels.map(({ min, max }) => [min, max]),
    )
  }
})

test('depth, grey and transparency are kept', async () => {
  const grey16 = await noisy().toColourspace('grey16').png().toBuffer()
  const { files: greys } = await enhance(grey16, 'denoise')
  const grey = await sharp(greys[0]).metadata()
  assert.deepEqual([grey.depth, grey.channels], ['ushort', 1])
  const half = await sharp(await noisy().png().toBuffer())
    .ensureAlpha(0.5)
    .webp({ lossless: true })
    .toBuffer()
  const { report, files } = await enhance(half, 'upscale', { intensity: 3 })
  assert.equal(report.enhanced.format, 'webp')
  const { channels } = await sharp(files[0]).stats()
  assert.deepEqual([channels[3]?.min, channels[3]?.max], [127, 127])
})

test('without the preview there is the report alone', async () => {
  const { report, files } = await enhance(await noisy().jpeg().toBuffer(), 'upscale', { intensity: 1, preview: false })
  assert.deepEqual(files, [])
  assert.equal(report.enhanced.format, 'jpeg')
  assert.ok(report.enhanced.bytes > 0)
})

const rawNoise = async () => (await noisy().raw().toBuffer()).reverse()
const inputs: Readonly<Record<string, readonly [file: () => Promise<Buffer>, written: string]>> = {
  'a CMYK JPEG': [
    async () =>
      sharp(await noisy().png().toBuffer())
        .toColourspace('cmyk')
        .jpeg({ quality: 95 })
        .toBuffer(),
    'jpeg',
  ],
  'a TIFF': [() => noisy().tiff({ compression: 'none' }).toBuffer(), 'tiff'],
  'an AVIF': [() => noisy().avif({ quality: 99, effort: 0 }).toBuffer(), 'avif'],
  'a BMP': [async () => bmpFile({ width: 304, height: 200, bits: 24, pixels: await rawNoise() }), 'bmp'],
  'a HEIC': [async () => heif([picture(await encode(noisy()))]), 'jpeg'],
}
for (const [name, [file, writtenText]] of Object.entries(inputs)) {
  test(`${name} is cleaned too`, async () => {
    const { report, files } = await enhance(await file(), 'denoise')
    assert.deepEqual(
      report.operations.map((operation) => operation.name),
      ['denoise'],
    )
    assert.ok(report.metrics.noiseAfter < report.metrics.noiseBefore / 2, JSON.stringify(report.metrics))
    const { width, height, format, bytes } = report.enhanced
    assert.deepEqual([width, height, format, bytes], [304, 200, writtenText, files[0]?.length])
  })
}

test('of an animation the first frame is enlarged', async () => {
  const { report, files } = await enhance(await animatedGif(40, 30), 'upscale', { intensity: 1 })
  assert.deepEqual([report.enhanced.width, report.enhanced.height], [80, 60])
  const { width, height, pages = 1 } = await sharp(files[0], { animated: true }).metadata()
  assert.deepEqual([width, height, pages], [80, 60, 1])
  assert.ok(near(await pixel(files[0] as Buffer, 40, 30), [255, 0, 0, 255]))
})

test('a line is enlarged, and no other mode changes it', async () => {
  const line = await photo(3_000, 1).png().toBuffer()
  for (const mode of ['auto', 'denoise', 'deblur'] as const) assert.deepEqual((await enhance(line, mode)).report.operations, [])
  const { report } = await enhance(line, 'upscale')
  assert.deepEqual([report.enhanced.width, report.enhanced.height], [6_000, 2])
})

test('artefacts of JPEG are removed when asked, by the quality of the file', async () => {
  const drawnBytes = await sharp(await photo(300, 200).png().toBuffer())
    .jpeg({ quality: 30 })
    .toBuffer()
  const { report } = await enhance(drawnBytes, 'denoise')
  assert.deepEqual(report.operations[0]?.params, { noise: [9.29, 9.29, 9.29], stride: 4 })
  assert.deepEqual((await enhance(drawnBytes, 'auto')).report.operations, [])
})

test('a result of more than 80 megapixels is refused before the image is decoded', async () => {
  const large = await solid(5_000, 4_001, '#345').png().toBuffer()
  await assert.rejects(enhance(large, 'upscale'), { code: 'image_too_large', message: /20 megapixels/ })
})

test('a result too long for its format is written in another', async () => {
  for (const [colour, format] of [
    ['#345', 'jpeg'],
    ['#34567880', 'png'],
  ] as const) {
    const long = await solid(9_000, 10, colour).webp({ lossless: true }).toBuffer()
    const { report, files } = await enhance(long, 'upscale', { intensity: 1 })
    assert.deepEqual([report.enhanced.format, report.enhanced.width], [format, 18_000])
    assert.equal((await sharp(files[0]).metadata()).format, format)
  }
})

test('an image whose file would be too large is tried in formats that make it smaller', () => {
  const header = { codec: codecs.bmp, alpha: false } as Header
  const names = (part: Partial<Header>, width: number, height: number) =>
    codecsFor({ ...header, ...part }, { width, height }).map(({ name }) => name)
  assert.deepEqual(names({}, 10_000, 8_000), ['bmp', 'png', 'jpeg'])
  assert.deepEqual(names({ codec: codecs.png, alpha: true }, 4_000, 3_000), ['png', 'webp'])
  assert.deepEqual(names({ codec: codecs.heic }, 4_000, 3_000), ['jpeg', 'png'])
  // A renderer has not enough memory to write these with transparency.
  assert.deepEqual(names({ codec: codecs.avif, alpha: true }, 10_000, 8_000), ['png'])
  assert.deepEqual(names({ codec: codecs.avif }, 10_000, 8_000), ['avif', 'jpeg', 'png'])
})
