import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits } from '@pixelmill/codecs/pixels/size'
import { near, pixel, solid, withRedCorner } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const RED = [255, 0, 0]
const BLUE = [0, 0, 255]
const image = await (await withRedCorner(120, 80)).png().toBuffer()

async function sizeOf(fields: Readonly<Record<string, string | number>>) {
  const { status, bytes, headers, error } = await post('convert', { format: 'png', ...fields }, { image })
  assert.equal(status, 200, String(error?.message))
  const { width, height } = await sharp(bytes).metadata()
  assert.deepEqual([headers.get('x-image-width'), headers.get('x-image-height')], [String(width), String(height)])
  return [width, height]
}

for (const fit of fits) {
  test(`with one side the aspect ratio is kept, also with fit ${fit}`, async () => {
    assert.deepEqual(await sizeOf({ fit, width: 60 }), [60, 40])
    assert.deepEqual(await sizeOf({ fit, height: 160 }), [240, 160])
    assert.deepEqual(await sizeOf({ fit, width: 40, rotate: 90 }), [40, 60])
  })
}

/** Where the red corner goes; the picture is 120 × 80. */
const turns = [
  [0, 5, 5],
  [90, 74, 5],
  [180, 114, 74],
  [270, 5, 114],
  [360, 5, 5],
] as const
for (const [rotate, x, y] of turns) {
  test(`rotate ${rotate} turns clockwise, without loss`, async () => {
    const { bytes } = await post('convert', { format: 'png', rotate }, { image })
    assert.ok(near(await pixel(bytes, x, y), RED, 0))
    const { channels } = await sharp(bytes).stats()
    assert.ok(channels.length === 3 || channels[3]?.min === 255, 'no transparent pixel')
  })
}

test('rotate by 45 turns clockwise about the centre, the corners stay empty', async () => {
  const square = await (await withRedCorner(100, 100)).png().toBuffer()
  const { bytes } = await post('convert', { format: 'png', rotate: 45 }, { image: square })
  // The top-left corner stands on top now.
  assert.ok(near(await pixel(bytes, 71, 6), RED, 2))
  assert.ok(near(await pixel(bytes, 71, 71), BLUE, 2))
  for (const [x, y] of [
    [2, 2],
    [138, 2],
    [2, 138],
    [138, 138],
  ] as const) {
    assert.equal((await pixel(bytes, x, y))[3], 0)
  }
})

test('rotation is applied before the resize, and the resize before the blur', async () => {
  const small = await post('convert', { format: 'png', width: 30, blur: 3 }, { image })
  const apart = await post('convert', { format: 'png', width: 30 }, { image })
  const blurredAnswer = await post('convert', { format: 'png', blur: 3 }, { image: apart.bytes })
  const raw = (bytes: Buffer) => sharp(bytes).removeAlpha().raw().toBuffer()
  const one = await raw(small.bytes)
  const two = await raw(blurredAnswer.bytes)
  assert.equal(one.length, two.length)
  assert.ok(one.every((value, at) => Math.abs(value - (two[at] ?? 0)) <= 3))
})

test('cover crops both sides equally', async () => {
  const { bytes } = await post('convert', { format: 'png', width: 40, height: 40, fit: 'cover' }, { image })
  // 60 × 40, ten columns lost on the left: of the 10 × 10 red corner nothing is left.
  assert.ok(near(await pixel(bytes, 2, 2), BLUE, 40))
  assert.deepEqual(await sizeOf({ width: 40, height: 40, fit: 'cover' }), [40, 40])
})

test('images with a side of one pixel are converted', async () => {
  assert.deepEqual(await sizeOf({ width: 1 }), [1, 1])
  assert.deepEqual(await sizeOf({ width: 1, height: 1, fit: 'fill' }), [1, 1])
  const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer()
  for (const fields of [{ rotate: 45 }, { rotate: 90 }, { blur: 100 }, { width: 50, height: 50, fit: 'cover' }]) {
    assert.equal((await post('convert', { format: 'png', ...fields }, { image: dot })).status, 200, JSON.stringify(fields))
  }
})

test('a JPEG that is reduced while it is decoded has the size that any other format has', async () => {
  const wide = solid(1_500, 735, '#4080c0')
  for (const source of [await wide.clone().jpeg().toBuffer(), await wide.clone().png().toBuffer()])
    for (const format of ['jpeg', 'webp', 'png']) {
      const { headers } = await post('convert', { format, width: 300 }, { image: source })
      assert.deepEqual([headers.get('x-image-width'), headers.get('x-image-height')], ['300', '147'])
    }
})

test('pixels and quality with decimals are rounded to the nearest whole', async () => {
  assert.deepEqual(await sizeOf({ width: 100.5, fit: 'fill', height: 33.4 }), [101, 33])
  const crop = await post('crop', { x: 1.5, y: 0.4, width: 50.6, height: 20 }, { image })
  assert.deepEqual([crop.headers.get('x-image-width'), crop.headers.get('x-image-height')], ['51', '20'])
  const [roundedBytes, whole] = [75.5, 76].map(async (quality) => (await post('convert', { quality }, { image })).bytes)
  assert.ok((await roundedBytes)?.equals((await whole) ?? Buffer.alloc(0)))
})

test('a blur has an effect from 0.3 on, and a larger one blurs more', async () => {
  const edge = await solid(20, 20, 'white')
    .composite([{ input: await solid(10, 20, 'black').png().toBuffer(), gravity: 'west' }])
    .png()
    .toBuffer()
  const beside = async (blur: number, more: Readonly<Record<string, string>> = {}) => {
    const { bytes } = await post('convert', { format: 'png', blur, ...more }, { image: edge })
    return (await pixel(bytes, 9, 10))[0] ?? 0
  }
  const levels: number[] = []
  for (const blur of [0.3, 0.35, 0.45, 0.55, 0.56, 0.7, 1]) levels.push(await beside(blur))
  assert.ok((levels[0] ?? 0) >= 8, String(levels))
  assert.ok(
    levels.every((level, index) => index === 0 || level >= (levels[index - 1] ?? 0)),
    String(levels),
  )
  assert.ok((await beside(0.3, { grayscale: 'True' })) >= 8)
})
