import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { stripIsobmff } from '@pixelmill/codecs/isobmff/strip'
import { jpegQualityOf } from '@pixelmill/codecs/jpeg'
import { withoutLosslessTools } from '@pixelmill/codecs/lossless-tools'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { randomFrom } from '@pixelmill/codecs/test/support/damage'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { similarityTo } from '@pixelmill/vision/likeness/similarity'
import { ssim } from '@pixelmill/vision/likeness/ssim'
import { damagePicture, paintPicture } from '@pixelmill/vision/test/likeness/painted'
import sharp from 'sharp'
import { run } from '../../src/way-of-a-picture.ts'

const source = await photo(96, 64).png().toBuffer()
const SECRET = 'taken by A. Author'

test('the quality of a JPEG of libjpeg is read exactly from its tables', async () => {
  for (let quality = 1; quality <= 100; quality++) {
    const progressive = quality % 2 === 0
    assert.equal(jpegQualityOf(await sharp(source).jpeg({ quality, progressive }).toBuffer()), quality)
  }
})

test('every JPEG of the search counts as of the quality asked: the second time it is left as it is', async () => {
  const best = await sharp(source).jpeg({ quality: 100, chromaSubsampling: '4:4:4' }).toBuffer()
  for (const quality of [1, 2, 5, 12, 25, 40, 60, 75, 85, 95]) {
    const once = await run({ task: 'optimize', params: { quality } }, [best], { megapixels: 1_000 }, NO_PROGRAMS)
    const [bytes] = 'files' in once ? once.files : []
    assert.ok(bytes && jpegQualityOf(bytes) <= quality + 1, `${quality}`)
  }
})

test('SSIM is 1 for a picture and itself, falls with noise, and sees colour and alpha', () => {
  const random = randomFrom(7)
  const width = 30
  const height = 21
  const channels = 4
  const data = Buffer.from(Array.from({ length: width * height * channels }, () => random(256)))
  const raster = { data, width, height, channels }
  const withChange = (first: number, by: number) => ({
    ...raster,
    data: data.map((value, at) => (at % 4 === first ? value ^ by : value)),
  })
  assert.ok(Math.abs(ssim(raster, raster) - 1) < 1e-9)
  for (const channel of [0, 1, 2, 3]) {
    const little = ssim(raster, withChange(channel, 15))
    const much = ssim(raster, withChange(channel, 127))
    assert.ok(much < little && little < 1, `channel ${channel}: ${much} < ${little} < 1`)
  }
})

test('SSIM has the values of its definition', () => {
  const picture = paintPicture(150, 100)
  const values = (['noise', 'blurred', 'blocks', 'faded'] as const).map((damage) =>
    ssim(picture, damagePicture(picture, damage)).toFixed(4),
  )
  assert.deepEqual(values, ['0.9223', '0.9761', '0.7766', '0.9996'])
})

test('a JPEG that is searched on a part of it keeps the promise as a whole', async () => {
  const { data, width, height } = damagePicture(paintPicture(1200, 900), 'noise')
  const raw = { width, height, channels: 3 } as const
  const large = await sharp(data, { raw }).jpeg({ quality: 97 }).toBuffer()
  const { of, promised } = await similarityTo(sharp(large), { grey: false, alpha: false, frames: 1 })
  for (const quality of [50, 75]) {
    const result = await run({ task: 'optimize', params: { quality } }, [large], { megapixels: 1_000 }, NO_PROGRAMS)
    const [bytes] = 'files' in result ? result.files : []
    assert.ok(bytes && bytes.length < 0.7 * large.length, `${bytes?.length} of ${large.length} bytes`)
    assert.ok((await of(bytes, codecs.jpeg)) >= (await promised(quality)), `${quality}`)
  }
})

for (const orientation of [1, 6]) {
  test(`AVIF without its EXIF and XMP shows the same, orientation ${orientation}`, async () => {
    const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${SECRET}</x:xmpmeta>`
    const taggedImage = sharp(source)
      .withMetadata({ orientation })
      .withExifMerge({ IFD0: { Copyright: SECRET } })
      .withXmp(xmp)
    const avif = await taggedImage.withIccProfile('p3').avif({ effort: 0 }).toBuffer()
    assert.ok(avif.includes(SECRET))
    const strippedFile = stripIsobmff(avif)
    assert.ok(!strippedFile.includes(SECRET) && strippedFile.length < avif.length - 2 * SECRET.length)
    const pixelsOf = (file: Buffer) => sharp(file).autoOrient().raw().toBuffer()
    assert.deepEqual(await pixelsOf(strippedFile), await pixelsOf(avif))
    const { icc, exif } = await sharp(strippedFile).metadata()
    assert.deepEqual([icc !== undefined, exif], [true, undefined])
    assert.deepEqual(stripIsobmff(strippedFile), strippedFile)
  })
}

test('the film behind a picture is gone', async () => {
  const avif = await sharp(source).avif({ effort: 0 }).toBuffer()
  const film = Buffer.concat([Buffer.from([0, 0, 0, 8 + SECRET.length]), Buffer.from(`mpvd${SECRET}`)])
  assert.deepEqual(stripIsobmff(Buffer.concat([avif, film])), avif)
})

test('damaged AVIF is walked without a throw', async () => {
  const avif = await sharp(source)
    .withExif({ IFD0: { Copyright: SECRET } })
    .avif({ effort: 0 })
    .toBuffer()
  const random = randomFrom(11)
  for (let round = 0; round < 5_000; round++) {
    const damagedFile = Buffer.from(avif.subarray(0, 16 + random(avif.length - 15)))
    for (let change = 1 + random(8); change > 0; change--) damagedFile[random(Math.min(500, damagedFile.length))] = random(256)
    const before = Buffer.from(damagedFile)
    assert.ok(stripIsobmff(damagedFile).length <= damagedFile.length, `round ${round}`)
    assert.deepEqual(damagedFile, before)
  }
})

test('without the optional tools everything still works, and is lossless at 100', async () => {
  withoutLosslessTools()
  const files = [source, await sharp(source).jpeg({ quality: 90 }).toBuffer()]
  for (const file of files) {
    for (const quality of [50, 100]) {
      const result = await run({ task: 'optimize', params: { quality } }, [file], { megapixels: 1_000 }, NO_PROGRAMS)
      const [optimizedFile] = 'files' in result ? result.files : []
      assert.ok(optimizedFile && optimizedFile.length <= file.length)
      const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
      if (quality === 100) assert.deepEqual(await pixels(optimizedFile), await pixels(file))
    }
  }
})
