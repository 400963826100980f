import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pixel } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { sharedServer } from '../support/shared-server.ts'

const { post } = sharedServer()

/** Three frames of 6 × 4: one colour each, and a white pixel in the top-left corner. */
const colours = ['#ff0000', '#00ff00', '#0000ff'] as const
const rgb = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
] as const
const WHITE = [255, 255, 255, 255]
const DELAYS = [100, 200, 300]

async function animationWith(orientation: number): Promise<Buffer> {
  const dot = await sharp({ create: { width: 1, height: 1, channels: 3, background: '#ffffff' } })
    .png()
    .toBuffer()
  const frames = await Promise.all(
    colours.map((background) =>
      sharp({ create: { width: 6, height: 4, channels: 3, background } })
        .composite([{ input: dot, left: 0, top: 0 }])
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .withMetadata({ orientation })
    .webp({ lossless: true, delay: DELAYS, loop: 0 })
    .toBuffer()
}

/** Where the corner goes (EXIF 2.32, 4.6.5.1). */
const corners = [
  [1, 0, 0],
  [2, 5, 0],
  [3, 5, 3],
  [4, 0, 3],
  [5, 0, 0],
  [6, 3, 0],
  [7, 3, 5],
  [8, 0, 5],
] as const

for (const [orientation, x, y] of corners) {
  test(`each frame of an animated WebP with EXIF orientation ${orientation} is rotated, and frames keep their order`, async () => {
    const image = await animationWith(orientation)
    assert.equal((await sharp(image, { animated: true }).metadata()).orientation, orientation)
    const [width, height] = orientation < 5 ? [6, 4] : [4, 6]
    for (const [operation, fields] of [
      ['crop', { x: 0, y: 0, width, height }],
      ['resize', { width, height }],
      ['convert', { format: 'webp', quality: 100 }],
      ['optimize', { quality: 100 }],
    ] as const) {
      const answer = await post(operation, fields, { image })
      assert.equal(answer.status, 200, `${operation}: ${answer.error?.message}`)
      if (operation === 'optimize') continue
      const { delay, pageHeight, width: across } = await sharp(answer.bytes, { animated: true }).metadata()
      assert.deepEqual([across, pageHeight, delay], [width, height, DELAYS], operation)
      for (const [frame, colour] of rgb.entries()) {
        const at = await pixel(answer.bytes, x, y, frame)
        const other = await pixel(answer.bytes, width - 1 - x, height - 1 - y, frame)
        const distance = (a: readonly number[], b: readonly number[]) =>
          Math.max(...a.map((value, index) => Math.abs(value - (b[index] ?? 0))))
        assert.ok(distance(other, colour) < 40, `${operation} frame ${frame}: ${other}`)
        assert.ok(distance(at, WHITE) < distance(other, WHITE), `${operation} frame ${frame}: ${at}`)
      }
    }
    const still = await post('convert', { format: 'png' }, { image })
    assert.deepEqual([still.headers.get('x-image-width'), still.headers.get('x-image-height')], [String(width), String(height)])
    assert.deepEqual(await pixel(still.bytes, x, y), WHITE)
    assert.deepEqual(await pixel(still.bytes, width - 1 - x, height - 1 - y), rgb[0])
  })
}
