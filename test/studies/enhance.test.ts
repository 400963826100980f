import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import sharp from 'sharp'
import type { Intensity, Mode } from '../../src/image/enhance/choose.ts'
import { bmpFile } from '../support/bmp.ts'
import { coded, heif, picture } from '../support/heif.ts'
import { animatedGif, near, photo, pixel, solid } from '../support/pictures.ts'
import { openPool } from '../support/rendering.ts'

const pool = openPool()
after(() => pool.close())
const study = (file: Buffer, mode: Mode, { intensity = 2, preview = true }: { intensity?: Intensity; preview?: boolean } = {}) =>
  pool.study('enhance', { mode, intensity, preview }, [file], new AbortController().signal)

const SECRET = 'Taken by nobody'
const noisy = () =>
  sharp({
    create: { width: 304, height: 200, channels: 3, background: '#789', noise: { type: 'gaussian', mean: 120, sigma: 12 } },
  })

test('noise is found, taken away, and told of', async () => {
  const file = await noisy().png().toBuffer()
  const { report, files } = await study(file, 'auto')
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
  test(`a clean picture goes back as it came, less its metadata: ${format}`, async () => {
    const tagged = sharp(await photo().png().toBuffer())
      .blur(1)
      .withExif({ IFD0: { Copyright: SECRET } })
      .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`)
    const film = Buffer.from(format === 'tiff' ? '' : `a film of ${SECRET}`)
    const file = Buffer.concat([await tagged.toFormat(format, encodings[format]).toBuffer(), film])
    assert.ok(file.includes(SECRET))
    const { report, files } = await study(file, 'denoise')
    assert.deepEqual(report.operations, [])
    const [back = Buffer.alloc(0)] = files
    assert.equal(back.includes(SECRET), false)
    assert.equal(report.enhanced.bytes, back.length)
    const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
    assert.deepEqual(await pixels(back), await pixels(file))
  })
}

test('a picture of one colour, of one pixel and of nothing to see has nothing to enhance', async () => {
  for (const [width, height, colour] of [
    [1, 3, '#336699'],
    [64, 64, '#336699'],
    [1, 1, '#336699'],
    [40, 30, '#00000000'],
  ] as const) {
    const file = await solid(width, height, colour).png().toBuffer()
    for (const mode of ['auto', 'denoise', 'deblur'] as const) {
      const { report } = await study(file, mode)
      assert.deepEqual(report.operations, [])
    }
    const { report, files } = await study(file, 'upscale')
    assert.deepEqual([report.enhanced.width, report.enhanced.height], [2 * width, 2 * height])
    const [twice, once] = await Promise.all([files[0], file].map((bytes) => sharp(bytes).ensureAlpha().stats()))
    assert.deepEqual(
      twice?.channels.map(({ min, max }) => [min, max]),
      once?.channels.map(({ min, max }) => [min, max]),
    )
  }
})

test('depth, greyness and transparency stay', async () => {
  const grey16 = await noisy().toColourspace('grey16').png().toBuffer()
  const { files: greys } = await study(grey16, 'denoise')
  const grey = await sharp(greys[0]).metadata()
  assert.deepEqual([grey.depth, grey.channels], ['ushort', 1])
  const half = await sharp(await noisy().png().toBuffer())
    .ensureAlpha(0.5)
    .webp({ lossless: true })
    .toBuffer()
  const { report, files } = await study(half, 'upscale', { intensity: 3 })
  assert.equal(report.enhanced.format, 'webp')
  const { channels } = await sharp(files[0]).stats()
  assert.deepEqual([channels[3]?.min, channels[3]?.max], [127, 127])
})

test('without the preview there is the report alone', async () => {
  const { report, files } = await study(await noisy().jpeg().toBuffer(), 'upscale', { intensity: 1, preview: false })
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
  'a HEIC': [async () => heif([picture(await coded(noisy()))]), 'jpeg'],
}
for (const [name, [file, written]] of Object.entries(inputs)) {
  test(`${name} is cleaned too`, async () => {
    const { report, files } = await study(await file(), 'denoise')
    assert.deepEqual(
      report.operations.map((operation) => operation.name),
      ['denoise'],
    )
    assert.ok(report.metrics.noiseAfter < report.metrics.noiseBefore / 2, JSON.stringify(report.metrics))
    const { width, height, format, bytes } = report.enhanced
    assert.deepEqual([width, height, format, bytes], [304, 200, written, files[0]?.length])
  })
}

test('of an animation the first frame is enlarged', async () => {
  const { report, files } = await study(await animatedGif(40, 30), 'upscale', { intensity: 1 })
  assert.deepEqual([report.enhanced.width, report.enhanced.height], [80, 60])
  const { width, height, pages = 1 } = await sharp(files[0], { animated: true }).metadata()
  assert.deepEqual([width, height, pages], [80, 60, 1])
  assert.ok(near(await pixel(files[0] as Buffer, 40, 30), [255, 0, 0, 255]))
})

test('a line is enlarged, and left alone by all else', async () => {
  const line = await photo(3_000, 1).png().toBuffer()
  for (const mode of ['auto', 'denoise', 'deblur'] as const) assert.deepEqual((await study(line, mode)).report.operations, [])
  const { report } = await study(line, 'upscale')
  assert.deepEqual([report.enhanced.width, report.enhanced.height], [6_000, 2])
})

test('what JPEG left is cleaned when asked, by its quality', async () => {
  const drawn = await sharp(await photo(300, 200).png().toBuffer())
    .jpeg({ quality: 30 })
    .toBuffer()
  const { report } = await study(drawn, 'denoise')
  assert.deepEqual(report.operations[0]?.params, { noise: [9.29, 9.29, 9.29], stride: 4 })
  assert.deepEqual((await study(drawn, 'auto')).report.operations, [])
})

test('what is too large is refused before it is decoded', async () => {
  const large = await solid(6_000, 4_001, '#345').png().toBuffer()
  await assert.rejects(study(large, 'denoise'), { code: 'image_too_large', message: /24 megapixels/ })
  const medium = await solid(4_000, 2_501, '#345').png().toBuffer()
  await assert.rejects(study(medium, 'upscale'), { code: 'image_too_large', message: /10 megapixels/ })
})
