import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { plainGif } from '@pixelmill/engine/test/support/gif'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

const palette = [255, 0, 0, 0, 128, 255, 255, 255, 255, 20, 20, 20]
const SIDE = 60
const FRAMES = 5
const GROUND = 2
const BALL = 0
const EDGE = 3

/** A ball that rolls, with an edge of one pixel: each frame has the whole picture. */
async function drawnPicture(): Promise<Buffer> {
  const frames = Array.from({ length: FRAMES }, (_, frame) => ({
    left: 0,
    top: 0,
    width: SIDE,
    height: SIDE,
    delay: 10,
    indices: Array.from({ length: SIDE * SIDE }, (_, at) => {
      const distance = Math.hypot((at % SIDE) - 10 - frame * 10, Math.floor(at / SIDE) - 30)
      return distance > 9 ? GROUND : distance > 8 ? EDGE : BALL
    }),
  }))
  // Written by cgif, as small as GIFs are.
  return sharp(plainGif(SIDE, SIDE, palette, frames), { animated: true })
    .gif({ effort: 7 })
    .toBuffer()
}

const pixels = (bytes: Buffer) => sharp(bytes, { animated: true }).removeAlpha().raw().toBuffer()

for (const quality of [{}, { quality: 40 }, { quality: 100 }] as const) {
  test(`a small drawn GIF is no larger as WebP ${JSON.stringify(quality)}, and its colours are not changed`, async () => {
    const image = await drawnPicture()
    const { bytes } = await post('convert', { format: 'webp', ...quality }, { image })
    assert.ok(bytes.length <= image.length, `${bytes.length} bytes of ${image.length}`)
    assert.equal((await sharp(bytes, { animated: true }).metadata()).pages, FRAMES)
    assert.equal(Buffer.compare(await pixels(bytes), await pixels(image)), 0)
  })
}

test('a GIF of a photograph is encoded with loss where that is smaller', async () => {
  const image = await (await photo(400, 300)).gif().toBuffer()
  const { bytes } = await post('convert', { format: 'webp' }, { image })
  assert.ok(bytes.includes('VP8 '))
  assert.ok(bytes.length < image.length / 2, `${bytes.length} bytes of ${image.length}`)
})
