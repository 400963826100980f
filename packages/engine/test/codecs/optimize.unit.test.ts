import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { stripIsobmff } from '@pixelmill/codecs/isobmff/strip'
import { jpegQualityOf } from '@pixelmill/codecs/jpeg'
import { withoutLosslessTools } from '@pixelmill/codecs/lossless-tools'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { seeded } from '@pixelmill/codecs/test/support/damage'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { similarityTo } from '@pixelmill/vision/likeness/similarity'
import { ssim } from '@pixelmill/vision/likeness/ssim'
import { damaged, painted } from '@pixelmill/vision/test/likeness/painted'
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
  const random = seeded(7)
  const width = 30
  const height = 21
  const channels = 4
  const data = Buffer.from(Array.from({ length: width * height * channels }, () => random(256)))
  const raster = { data, width, height, channels }
  const changed = (first: number, by: number) => ({
    ...raster,
    data: data.map((value, at) => (at % 4 === first ? value ^ by : value)),
  })
  assert.ok(Math.abs(ssim(raster, raster) - 1) < 1e-9)
  for (const channel of [0, 1, 2, 3]) {
    const little = ssim(raster, changed(channel, 15))
    const much = ssim(raster, changed(channel, 127))
    assert.ok(much < little && little < 1, `channel ${channel}: ${much} < ${little} < 1`)
  }
})

test('SSIM has the values of its definition', () => {
  const picture = painted(150, 100)
  const values = (['noise', 'blurred', 'blocks', 'faded'] as const).map((damage) =>
    ssim(picture, damaged(picture, damage)).toFixed(6),
  )
  assert.deepEqual(values, ['0.922307', '0.976083', '0.776573', '0.999555'])
})

test('a JPEG that is searched on a part of it keeps the promise as a whole', async () => {
  const { data, width, height } = damaged(painted(1200, 900), 'noise')
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
    const tagged = sharp(source)
      .withMetadata({ orientation })
      .withExifMerge({ IFD0: { Copyright: SECRET } })
      .withXmp(xmp)
    const avif = await tagged.withIccProfile('p3').avif({ effort: 0 }).toBuffer()
    assert.ok(avif.includes(SECRET))
    const stripped = stripIsobmff(avif)
    assert.ok(!stripped.includes(SECRET) && stripped.length < avif.length - 2 * SECRET.length)
    const shown = (file: Buffer) => sharp(file).autoOrient().raw().toBuffer()
    assert.deepEqual(await shown(stripped), await shown(avif))
    const { icc, exif } = await sharp(stripped).metadata()
    assert.deepEqual([icc !== undefined, exif], [true, undefined])
    assert.deepEqual(stripIsobmff(stripped), stripped)
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
  const random = seeded(11)
  for (let round = 0; round < 5_000; round++) {
    const damaged = Buffer.from(avif.subarray(0, 16 + random(avif.length - 15)))
    for (let change = 1 + random(8); change > 0; change--) damaged[random(Math.min(500, damaged.length))] = random(256)
    const before = Buffer.from(damaged)
    assert.ok(stripIsobmff(damaged).length <= damaged.length, `round ${round}`)
    assert.deepEqual(damaged, before)
  }
})

test('without the optional tools everything still works, and is lossless at 100', async () => {
  withoutLosslessTools()
  const files = [source, await sharp(source).jpeg({ quality: 90 }).toBuffer()]
  for (const file of files) {
    for (const quality of [50, 100]) {
      const result = await run({ task: 'optimize', params: { quality } }, [file], { megapixels: 1_000 }, NO_PROGRAMS)
      const [written] = 'files' in result ? result.files : []
      assert.ok(written && written.length <= file.length)
      const pixels = (bytes: Buffer) => sharp(bytes).raw().toBuffer()
      if (quality === 100) assert.deepEqual(await pixels(written), await pixels(file))
    }
  }
})
