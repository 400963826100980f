import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { animatedGif, animatedWebp, photo, pixel } from '@pixelmill/codecs/test/support/pictures'
import sharp, { type Sharp } from 'sharp'
import { run } from '../../src/way-of-a-picture.ts'

/** A picture in which no pixel is as its neighbours. */
const picture = await sharp({
  create: { width: 61, height: 40, channels: 3, background: '#356', noise: { type: 'gaussian', mean: 120, sigma: 40 } },
})
  .png()
  .toBuffer()

async function mirror(task: 'flip' | 'flop', source: Buffer): Promise<Buffer> {
  const result = await run({ task, params: {} }, [source], { megapixels: 1_000 }, NO_PROGRAMS)
  const [bytes] = 'files' in result ? result.files : []
  return bytes ?? assert.fail('no image')
}

/** As displayed, in 16 bits a channel. */
const samplesOf = (file: Buffer) =>
  sharp(file).autoOrient().toColourspace('rgb16').raw({ depth: 'ushort' }).toBuffer({ resolveWithObject: true })

async function expected(task: 'flip' | 'flop', file: Buffer): Promise<Buffer> {
  const { data, info } = await samplesOf(file)
  const { width, height } = info
  const pixelBytes = data.length / (width * height)
  const mirrorImage = Buffer.alloc(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = task === 'flip' ? [x, height - 1 - y] : [width - 1 - x, y]
      const from = (fromY * width + fromX) * pixelBytes
      data.copy(mirrorImage, (y * width + x) * pixelBytes, from, from + pixelBytes)
    }
  }
  return mirrorImage
}

const lossless: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  png: (image) => image.png(),
  tiff: (image) => image.tiff({ compression: 'deflate' }),
  'png with transparency': (image) => image.ensureAlpha(0.5).png(),
}
for (const task of ['flip', 'flop'] as const) {
  for (const [kind, write] of Object.entries(lossless)) {
    test(`${task} of ${kind} moves every pixel, and changes none, in each EXIF orientation`, async () => {
      for (let orientation = 1; orientation <= 8; orientation++) {
        const source = await write(sharp(picture).withMetadata({ orientation })).toBuffer()
        const { data, info } = await samplesOf(await mirror(task, source))
        assert.deepEqual([info.width, info.height], orientation < 5 ? [61, 40] : [40, 61])
        assert.ok(data.equals(await expected(task, source)), String(orientation))
      }
    })
  }

  test(`${task} keeps 16 bits a channel`, async () => {
    const samples = Uint16Array.from({ length: 61 * 40 * 3 }, (_, at) => (at * 7_919) % 65_536)
    const raw = { width: 61, height: 40, channels: 3 } as const
    const source = await sharp(samples, { raw }).toColourspace('rgb16').png().toBuffer()
    const { data } = await samplesOf(await mirror(task, source))
    assert.ok(new Set(samples).size > 256)
    assert.equal((await samplesOf(source)).data.readUInt16LE(2), 7_919)
    assert.ok(data.equals(await expected(task, source)))
  })

  test(`${task} of a JPEG and a WebP of many rows, read from top to bottom, is near what it should be`, async () => {
    for (const source of [await photo(700, 500).jpeg({ quality: 95 }).toBuffer(), await photo(700, 500).webp().toBuffer()]) {
      const { data } = await samplesOf(await mirror(task, source))
      const expectedSamples = await expected(task, source)
      let difference = 0
      for (let at = 0; at < data.length; at += 2) difference += Math.abs(data.readUInt16LE(at) - expectedSamples.readUInt16LE(at))
      const mean = difference / (data.length / 2)
      assert.ok(mean > 0 && mean < 12 * 257, String(mean))
    }
  })

  test(`${task} mirrors each frame of an animation by itself, in its place and for its time`, async () => {
    for (const source of [await animatedGif(12, 8), await animatedWebp(12, 8)]) {
      const result = await mirror(task, source)
      const [before, after] = await Promise.all([source, result].map((file) => sharp(file, { animated: true }).metadata()))
      assert.deepEqual([after?.pages, after?.delay, after?.pageHeight], [before?.pages, before?.delay, before?.pageHeight])
      for (let frame = 0; frame < (before?.pages ?? 0); frame++) {
        const [x, y] = task === 'flip' ? [2, 6] : [9, 1]
        const was = await pixel(source, 2, 1, frame)
        const is = await pixel(result, x, y, frame)
        assert.ok(
          was.every((value, channel) => Math.abs(value - (is[channel] ?? 0)) < 40),
          `${frame}: ${was} ${is}`,
        )
      }
    }
  })
}
