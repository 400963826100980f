import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animatedGif, animatedWebp, DELAYS, near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const COLOURS = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
] as const
const watermark = await solid(20, 20, '#ffffff').png().toBuffer()
const inputs = { gif: await animatedGif(), webp: await animatedWebp() }

const calls = [
  ['convert', { format: 'webp' }, 120, 80],
  ['convert', { format: 'webp', width: 60 }, 60, 40],
  ['convert', { format: 'webp', rotate: 90 }, 80, 120],
  ['convert', { format: 'webp', rotate: 45 }, 141, 141],
  ['convert', { format: 'webp', rotate: 90, width: 40 }, 40, 60],
  ['convert', { format: 'webp', blur: 20 }, 120, 80],
  ['resize', { width: 60, height: 60 }, 60, 40],
  ['crop', { x: 10, y: 10, width: 50, height: 50 }, 50, 50],
  ['watermark', { position: 'bottom-right', scale: 0.1 }, 120, 80],
  ['optimize', {}, 120, 80],
] as const

for (const [format, image] of Object.entries(inputs)) {
  for (const [operation, fields, width, height] of calls) {
    test(`${format}: ${operation} ${JSON.stringify(fields)} keeps frames, delays, loop and colours`, async () => {
      const answer = await post(operation, fields, operation === 'watermark' ? { image, watermark } : { image })
      assert.equal(answer.status, 200, String(answer.error?.message))
      const real = await sharp(answer.bytes, { animated: true }).metadata()
      assert.deepEqual([real.pages, real.loop, real.delay], [3, 2, DELAYS])
      assert.deepEqual([real.width, real.pageHeight], [width, height])
      assert.deepEqual(
        [answer.headers.get('x-image-width'), answer.headers.get('x-image-height')],
        [String(width), String(height)],
      )
      for (const [frame, colour] of COLOURS.entries()) {
        assert.ok(near(await pixel(answer.bytes, width >> 1, height >> 1, frame), colour, 25), `frame ${frame}`)
        // A blur of the whole strip would bleed from the next frame into this edge.
        if ('blur' in fields)
          assert.ok(near(await pixel(answer.bytes, width >> 1, height - 1, frame), colour, 25), `edge of frame ${frame}`)
        if (operation === 'watermark')
          assert.ok(near(await pixel(answer.bytes, width - 3, height - 3, frame), [255, 255, 255], 25), `mark ${frame}`)
      }
    })
  }
  for (const target of ['png', 'jpeg', 'avif']) {
    test(`${format} to ${target} is the first frame`, async () => {
      const { bytes } = await post('convert', { format: target }, { image })
      const real = await sharp(bytes).metadata()
      assert.deepEqual([real.width, real.height, real.pages ?? 1], [120, 80, 1])
      assert.ok(near(await pixel(bytes, 60, 40), COLOURS[0], 25))
    })
  }
}

test('of an animated watermark the first frame is used', async () => {
  const image = await solid(100, 100, '#000000').png().toBuffer()
  const { bytes } = await post('watermark', { position: 'center', scale: 0.5 }, { image, watermark: inputs.gif })
  assert.ok(near(await pixel(bytes, 50, 50), COLOURS[0]))
})
