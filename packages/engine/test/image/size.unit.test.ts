import assert from 'node:assert/strict'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import { checkResult, fittedSize, rotatedSize, scaledSize, sizeWithin } from '@pixelmill/codecs/pixels/size'

const boxes = [
  [{ width: 240, height: 160 }, {}, 'inside', 240, 160],
  [{ width: 240, height: 160 }, { width: 60 }, 'inside', 60, 40],
  [{ width: 240, height: 160 }, { height: 320 }, 'inside', 480, 320],
  [{ width: 240, height: 160 }, { width: 100, height: 100 }, 'inside', 100, 67],
  [{ width: 240, height: 160 }, { width: 100, height: 100 }, 'outside', 150, 100],
  [{ width: 240, height: 160 }, { width: 100, height: 100 }, 'cover', 100, 100],
  [{ width: 240, height: 160 }, { width: 100, height: 100 }, 'contain', 100, 100],
  [{ width: 240, height: 160 }, { width: 100, height: 100 }, 'fill', 100, 100],
  [{ width: 240, height: 160 }, { width: 100 }, 'fill', 100, 67],
  [{ width: 10_000, height: 2 }, { width: 10 }, 'inside', 10, 1],
  [{ width: 2, height: 10_000 }, { height: 1 }, 'cover', 1, 1],
] as const
for (const [from, box, fit, width, height] of boxes) {
  test(`${from.width} × ${from.height} into ${JSON.stringify(box)}, ${fit}: ${width} × ${height}`, () => {
    assert.deepEqual(fittedSize(from, { ...box, fit }), { width, height })
  })
}

for (const [fit, width, height] of [
  ['inside', 100, 67],
  ['contain', 100, 67],
  ['outside', 150, 100],
  ['cover', 150, 100],
] as const) {
  test(`before it is cropped or padded, ${fit} scales 240 × 160 to ${width} × ${height}`, () => {
    assert.deepEqual(scaledSize({ width: 240, height: 160 }, { width: 100, height: 100, fit }), { width, height })
  })
}

for (const [degrees, width, height] of [
  [0, 240, 160],
  [90, 160, 240],
  [180, 240, 160],
  [270, 160, 240],
  [360, 240, 160],
  [45, 283, 283],
  [30, 288, 259],
] as const) {
  test(`240 × 160 turned by ${degrees}° needs ${width} × ${height}`, () => {
    assert.deepEqual(rotatedSize({ width: 240, height: 160 }, degrees), { width, height })
  })
}

const results = [
  [16_383, 1, 1, 'webp', undefined],
  [16_384, 1, 1, 'webp', /WEBP holds at most 16383 pixels a side/],
  [1, 16_384, 1, 'webp', /WEBP/],
  [16_384, 1, 1, 'avif', undefined],
  [16_385, 1, 1, 'avif', /AVIF holds at most 16384/],
  [65_500, 1, 1, 'jpeg', undefined],
  [65_501, 1, 1, 'jpeg', /JPEG holds at most 65500/],
  [8_000, 10_000, 1, 'png', undefined],
  [8_001, 10_000, 1, 'png', /more than 80 megapixels/],
  [1_000, 1_000, 80, 'webp', undefined],
  [1_000, 1_000, 81, 'webp', /1000 × 1000 × 81 frames/],
] as const
for (const [width, height, frames, format, refusal] of results) {
  test(`${width} × ${height} × ${frames} as ${format} is ${refusal ? 'refused' : 'written'}`, () => {
    const check = () => checkResult({ width, height }, frames, codecs[format])
    if (refusal) assert.throws(check, { code: 'image_too_large', message: refusal })
    else check()
  })
}

test('an image with transparency is refused as AVIF above what a renderer has memory to write', () => {
  const size = { width: 8_000, height: 5_001 }
  const check = () => checkResult({ ...size, alpha: true }, 1, codecs.avif)
  assert.throws(check, { code: 'image_too_large', message: /With transparency, AVIF holds at most 40 megapixels/ })
  checkResult({ ...size, alpha: false }, 1, codecs.avif)
  checkResult({ width: 8_000, height: 5_000, alpha: true }, 1, codecs.avif)
  checkResult({ ...size, alpha: true }, 1, codecs.webp)
})

test('a size within a side is one that comes out as it is when it is asked for', () => {
  for (let at = 0; at < 20_000; at++) {
    const from = { width: 1 + ((at * 7_919) % 9_973), height: 1 + ((at * 104_729) % 997) }
    const side = 1 + ((at * 31) % 2_999)
    const size = sizeWithin(from, side)
    assert.ok(size.width <= Math.max(1, side) && size.height <= Math.max(1, side), JSON.stringify({ from, side, size }))
    assert.deepEqual(scaledSize(from, { ...size, fit: 'inside' }), size)
  }
  assert.deepEqual(sizeWithin({ width: 6_000, height: 4_000 }, 2_560), { width: 2_560, height: 1_707 })
  assert.deepEqual(sizeWithin({ width: 60, height: 40 }, 2_560), { width: 60, height: 40 })
})
