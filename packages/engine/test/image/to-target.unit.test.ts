import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { levelAt, valueAt } from '@pixelmill/codecs/scales'
import { sharp } from '@pixelmill/codecs/sharp'
import { judgeOf } from '@pixelmill/vision/likeness/ssimulacra2/ssimulacra2'
import { damagePicture, paintPicture } from '@pixelmill/vision/test/likeness/painted'
import { encodeJob } from '../../src/image/encode.ts'
import { encodeToTarget, type Target } from '../../src/image/to-target.ts'

async function encodeFor(source: Buffer, codec: Codec, target: Target) {
  const header = await readHeader(source)
  const image = await openImage(source, header, codec)
  const { width, height, grey } = header
  const { pixels, frames } = image
  return encodeToTarget(
    encodeJob({ pixels, codec, quality: undefined, width, height, frames, header, grey, keepDepth: false }),
    target,
  )
}

const pngOf = ({ data, width, height }: Raster) =>
  sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer()

async function rasterOf(bytes: Buffer): Promise<Raster> {
  const { data, info } = await sharp(bytes).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Soft, as photographs are. */
const picture = damagePicture(paintPicture(420, 300), 'blurred')
const large = damagePicture(paintPicture(900, 700), 'blurred')
const codecsWithScore = [codecs.jpeg, codecs.webp, codecs.avif]

for (const codec of codecsWithScore) {
  for (const [name, original] of [
    ['a small picture', picture],
    ['a sampled picture', large],
  ] as const) {
    test(`${codec.name} of ${name} reaches the score that was asked for, and says so`, async () => {
      const source = await pngOf(original)
      const judge = judgeOf([original])
      const bytes: number[] = []
      for (const visualQuality of [60, 80]) {
        const answer = await encodeFor(source, codec, { visualQuality })
        const actual = judge.score([await rasterOf(answer.bytes)])
        assert.ok(Math.abs(actual - visualQuality) <= 2, `${actual} for ${visualQuality}`)
        assert.ok(Math.abs(actual - (answer.score ?? 0)) < 1e-6, `${actual}, said to be ${answer.score}`)
        bytes.push(answer.bytes.length)
      }
      assert.ok((bytes[0] ?? 0) < (bytes[1] ?? 0))
    })

    test(`${codec.name} of ${name} is the best that fits`, async () => {
      const source = await pngOf(original)
      const { bytes: all } = await encodeFor(source, codec, { visualQuality: 85 })
      const most = Math.floor(all.length / 2)
      const { bytes } = await encodeFor(source, codec, { maxBytes: most })
      assert.ok(bytes.length <= most && bytes.length > most * 0.85, `${bytes.length} of ${most}`)
    })
  }

  test(`${codec.name} that cannot fit names the smallest size, which then fits`, async () => {
    const source = await pngOf(picture)
    const error = await encodeFor(source, codec, { maxBytes: 10 }).catch((reason: unknown) => reason)
    assert.ok(error instanceof ImageError && error.code === 'cannot_fit')
    const smallestBytes = Number(error.facts?.smallestBytes)
    assert.ok(error.message.includes(String(smallestBytes)))
    assert.equal((await encodeFor(source, codec, { maxBytes: smallestBytes })).bytes.length, smallestBytes)
    await assert.rejects(encodeFor(source, codec, { maxBytes: smallestBytes - 1 }), { code: 'cannot_fit' })
  })
}

test('maxBytes sends at most the quality, or the score, that is asked for beside it', async () => {
  const source = await pngOf(picture)
  const { bytes: plain } = await encodeFor(source, codecs.jpeg, { quality: 40, maxBytes: 1_000_000 })
  const direct = await sharp(source).jpeg({ quality: 40, chromaSubsampling: '4:2:0' }).toBuffer()
  assert.deepEqual(plain, direct)
  const byScore = await encodeFor(source, codecs.jpeg, { visualQuality: 60 })
  const both = await encodeFor(source, codecs.jpeg, { visualQuality: 60, maxBytes: 1_000_000 })
  assert.deepEqual(both.bytes, byScore.bytes)
  const withinBytes = await encodeFor(source, codecs.jpeg, { visualQuality: 60, maxBytes: byScore.bytes.length - 1 })
  assert.ok(withinBytes.bytes.length < byScore.bytes.length)
  assert.ok((withinBytes.score ?? 100) < (byScore.score ?? 0))
})

test('PNG is lossless if that fits, else it has a palette', async () => {
  const source = await pngOf(picture)
  const exact = await encodeFor(source, codecs.png, { maxBytes: 10_000_000 })
  assert.equal(exact.score, 100)
  assert.deepEqual((await rasterOf(exact.bytes)).data, (await rasterOf(source)).data)
  const palette = await encodeFor(source, codecs.png, { maxBytes: Math.floor(exact.bytes.length / 2) })
  assert.ok(palette.bytes.length <= exact.bytes.length / 2)
  assert.equal(palette.bytes[25], 3, 'the colour type of its header is that of a palette')
  assert.ok((palette.score ?? 100) < 100)
})

test('a grey picture with transparency keeps it at a score and within bytes', async () => {
  const data = Buffer.from(Array.from({ length: 200 * 100 }, (_, at) => [(at * 7) % 256, at % 200 < 100 ? 0 : 255]).flat())
  const source = await sharp(data, { raw: { width: 200, height: 100, channels: 2 } })
    .toColourspace('b-w')
    .png()
    .toBuffer()
  for (const codec of [codecs.webp, codecs.avif])
    for (const target of [{ visualQuality: 60 }, { maxBytes: 20_000 }]) {
      const { bytes } = await encodeFor(source, codec, target)
      const alpha = await sharp(bytes).extractChannel('alpha').raw().toBuffer()
      assert.ok((alpha[50] ?? 255) < 5 && (alpha[150] ?? 0) > 250, codec.name)
    }
})

test('WebP, whose lossy files do not reach a score of 95 on every picture, is lossless then', async () => {
  const source = await pngOf(picture)
  const { bytes, score } = await encodeFor(source, codecs.webp, { visualQuality: 95 })
  const actual = judgeOf([picture]).score([await rasterOf(bytes)])
  assert.ok(actual > 93, String(actual))
  assert.ok(score && Math.abs(score - actual) < 2)
})

/** Saturated lines, one pixel wide, which half the chroma resolution mixes. */
function paintLines(): Raster {
  const width = 96
  const colours = [
    [255, 0, 0],
    [0, 0, 255],
    [255, 0, 255],
    [0, 160, 0],
  ]
  const data = Uint8Array.from({ length: width * width * 3 }, (_, at) => {
    const x = Math.floor(at / 3) % width
    const y = Math.floor(at / 3 / width)
    return (x % 16 === 0 || y % 12 === 0 ? colours[(x + y) % 4] : [250, 250, 250])?.[at % 3] as number
  })
  return { data, width, height: width, channels: 3 }
}

test('a drawing in saturated colours reaches its score at full chroma resolution, with a low level', async () => {
  const lines = paintLines()
  const judge = judgeOf([lines])
  for (const codec of [codecs.jpeg, codecs.avif]) {
    const highest = await codec.encode(
      (await openImage(await pngOf(lines), await readHeader(await pngOf(lines)), codec)).pixels,
      {
        quality: 89,
        megapixels: 0.01,
        animation: undefined,
      },
    )
    const half = judge.score([await rasterOf(highest.bytes)])
    assert.ok(half < 65, `${codec.name}: half the resolution has ${half} at its highest level`)
    const { bytes, score } = await encodeFor(await pngOf(lines), codec, { visualQuality: 70 })
    const actual = judge.score([await rasterOf(bytes)])
    assert.ok(Math.abs(actual - 70) <= 2, `${codec.name}: ${actual}`)
    assert.ok(Math.abs(actual - (score ?? 0)) < 1e-6, `${actual}, said to be ${score}`)
  }
})

test('maxBytes says the score of its file', async () => {
  for (const codec of [...codecsWithScore, codecs.png]) {
    const { bytes, score } = await encodeFor(await pngOf(large), codec, { maxBytes: codec === codecs.png ? 200_000 : 40_000 })
    const actual = judgeOf([large]).score([await rasterOf(bytes)])
    assert.ok(Math.abs(actual - (score ?? 0)) < 1e-6, `${codec.name}: ${actual}, said to be ${score}`)
  }
})

test('a curve is straight between its rows and beyond them, and can be read backwards', () => {
  const curve = [
    [1, 10],
    [11, 30],
    [21, 90],
  ] as const
  assert.equal(valueAt(curve, 6), 20)
  assert.equal(valueAt(curve, 16), 60)
  assert.equal(valueAt(curve, 22), 96)
  assert.equal(levelAt(curve, 20), 6)
  assert.equal(levelAt(curve, 96), 22)
  assert.equal(levelAt(curve, 0), -4)
})
