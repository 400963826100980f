import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { aomScale, avif } from '@pixelmill/codecs/avif'
import type { Codec } from '@pixelmill/codecs/codec'
import { x265Quality, x265Scale } from '@pixelmill/codecs/heic/writers'
import { jpeg } from '@pixelmill/codecs/jpeg'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { onScale, type QualityScale } from '@pixelmill/codecs/scales'
import { drawPhotographs } from '@pixelmill/codecs/test/photographs/draw-photograph'
import { isNight } from '@pixelmill/codecs/test/support/at-night'
import { webp, webpScale } from '@pixelmill/codecs/webp'
import { judgeOf } from '@pixelmill/vision/likeness/ssimulacra2/ssimulacra2'
import sharp from 'sharp'

const scale: QualityScale = [
  [1, 5],
  [50, 30],
  [75, 60],
  [100, 90],
]
const qualities = Array.from({ length: 100 }, (_, index) => index + 1)

test('a scale gives its rows, and what lies between them in proportion', () => {
  assert.deepEqual(
    [1, 50, 75, 100].map((quality) => onScale(scale, quality)),
    [5, 30, 60, 90],
  )
  // 30 + 10/25 × 30, and 60 + 20/25 × 30.
  assert.deepEqual([onScale(scale, 60), onScale(scale, 95)], [42, 84])
})

test('a scale with a column for full size gives what lies between by the logarithm of the size', () => {
  const sizeScale: QualityScale = [
    [1, 1],
    [50, 40, 60],
    [100, 100],
  ]
  // The columns are those of 0.18 and 2.7 megapixels; 0.697 is halfway between them.
  const own = (megapixels: number) => onScale(sizeScale, 50, megapixels)
  assert.deepEqual([own(0.01), own(0.18), own(0.697), own(2.7), own(80)], [40, 40, 50, 60, 60])
  assert.deepEqual([onScale(sizeScale, 75, 0.18), onScale(sizeScale, 75, 2.7), onScale(sizeScale, 1, 80)], [70, 80, 1])
})

const scales = { "libwebp's": webpScale, "libaom's": aomScale, "x265's": x265Scale } as const
for (const [name, own] of [
  ['a scale', (quality: number) => onScale(scale, quality)] as const,
  ...Object.entries(scales).flatMap(([name, rows]) =>
    [0.05, 0.8, 2.7].map((size) => [`${name} at ${size} megapixels`, (quality: number) => onScale(rows, quality, size)] as const),
  ),
]) {
  test(`${name} never falls, has whole numbers, and stays within its ends`, () => {
    const numbers = qualities.map(own)
    assert.ok(numbers.every((number, index) => Number.isInteger(number) && number >= (numbers[index - 1] ?? 0)))
    assert.deepEqual([numbers[0], numbers[99]], [own(1), own(100)])
    assert.ok(numbers.every((number) => number >= own(1) && number <= own(100)))
  })
}

test("x265's scale spans all that heif-enc takes", () => {
  assert.deepEqual([x265Quality(1, 0.18), x265Quality(75, 0.18), x265Quality(75, 2.7), x265Quality(100, 2.7)], [1, 44, 47, 100])
})

/** Pictures with the spectrum, edges and grain of photographs, at that width. */
async function photographRasters(width: number): Promise<readonly Raster[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-scale-'))
  try {
    await drawPhotographs(folder, 2)
    return await Promise.all(
      readdirSync(folder).map(async (name) => {
        const { data, info } = await sharp(join(folder, name)).resize(width).raw().toBuffer({ resolveWithObject: true })
        return { data, width: info.width, height: info.height, channels: 3 }
      }),
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function score(codec: Codec, quality: number, picture: Raster): Promise<number> {
  const { data, width, height } = picture
  const pixels = sharp(data, { raw: { width, height, channels: 3 } })
  const { bytes } = await codec.encode(pixels, { quality, megapixels: (width * height) / 1e6, animation: undefined })
  return judgeOf([picture]).score([{ data: await sharp(bytes).raw().toBuffer(), width, height, channels: 3 }])
}

/** Single pictures differ from the median of photographs. Before the scale was measured by SSIMULACRA2, WebP was 6 to 8 below JPEG. */
const NEAR = 3

for (const width of isNight ? [512, 1200] : [512]) {
  test(`WebP and AVIF score like JPEG at quality 75, on drawn photographs ${width} pixels wide`, async () => {
    for (const picture of await photographRasters(width)) {
      const [anchor, ...others] = await Promise.all([jpeg, webp, avif].map((codec) => score(codec, 75, picture)))
      assert.ok(anchor !== undefined && anchor > 70 && anchor < 85, `JPEG scores ${anchor}`)
      for (const other of others) assert.ok(Math.abs(other - anchor) < NEAR, `${other} where JPEG has ${anchor}`)
    }
  })
}
