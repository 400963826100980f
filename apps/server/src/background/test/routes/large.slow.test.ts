import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { clutter, removeBackground, studio } from '../../../../test/support/background-call.ts'
import { startServer } from '../../../../test/support/server.ts'
import { shareServer } from '../../../../test/support/shared-server.ts'

// Twenty seconds of a core; a busy machine takes more.
test('an image of 80 megapixels is cut out, one with a row more is refused', { timeout: 300_000 }, async () => {
  await using server = await shareServer()
  const remove = (image: Buffer) => removeBackground(server.url, server.key, image)
  const large = await studio(10_000, 8_000).jpeg().toBuffer()
  const answer = await remove(large)
  assert.equal(answer.status, 200, String(answer.error?.message))
  assert.deepEqual([answer.headers.get('x-image-width'), answer.headers.get('x-image-height')], ['10000', '8000'])
  const corner = await sharp(answer.bytes, { limitInputPixels: false })
    .extract({ left: 0, top: 0, width: 1, height: 1 })
    .raw()
    .toBuffer()
  assert.deepEqual([...corner], [0, 0, 0, 0])
  const larger = await solid(10_000, 8_001, '#357').jpeg().toBuffer()
  assert.equal((await remove(larger)).error?.statusMessage, 'image_too_large')
})

const picture = await studio(120, 80).png().toBuffer()
const noise = await clutter(48, 32).png().toBuffer()

for (const [settings, expected] of [
  [{ BG_LOW_CONFIDENCE: 'return' }, [200, 200]],
  [{ BG_MIN_CONFIDENCE: '0' }, [200, 200]],
] as const)
  test(`${JSON.stringify(settings)}: a ball and noise are answered ${expected}`, async () => {
    await using own = await startServer({ ...settings, RENDERERS: '1' })
    const answers = [picture, noise].map((image) => removeBackground(own.url, own.key, image))
    for (const [n, answer] of (await Promise.all(answers)).entries()) {
      assert.equal(answer.status, expected[n])
      assert.match(answer.headers.get('x-background-confidence') ?? '', n === 0 ? /^(0\.[7-9]\d|1\.00)$/ : /^0\.[0-6]\d$/)
      assert.equal((await sharp(answer.bytes).metadata()).hasAlpha, true)
    }
  })
