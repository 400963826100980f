import assert from 'node:assert/strict'
import { test } from 'node:test'
import { animatedGif, animatedWebp } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

const { post } = sharedServer()

/** The delay of the first frame, in hundredths of a second, as GIF counts it. */
async function gifWithDelay(hundredths: number): Promise<Buffer> {
  const bytes = await animatedGif(12, 8)
  bytes.writeUInt16LE(hundredths, bytes.indexOf(Buffer.from([0x21, 0xf9, 4])) + 4)
  return bytes
}

for (const hundredths of [2, 100, 6_000, 9_000, 65_535]) {
  test(`a GIF whose first frame has a delay of ${hundredths / 100} s is accepted on every endpoint`, async () => {
    const image = await gifWithDelay(hundredths)
    for (const [operation, fields] of [
      ['convert', { format: 'webp' }],
      ['resize', { width: 6, height: 4 }],
      ['crop', { x: 0, y: 0, width: 6, height: 4 }],
      ['flip', {}],
      ['flop', {}],
      ['optimize', {}],
    ] as const) {
      const { status, bytes, error } = await post(operation, fields, { image })
      assert.equal(status, 200, `${operation}: ${error?.statusMessage}`)
      const { delay } = await sharp(bytes, { animated: true }).metadata()
      assert.deepEqual(delay, [hundredths * 10, 200, 300], operation)
    }
  })
}

test('a WebP whose first frame has a delay of four hours is accepted on every endpoint', async () => {
  const four = 4 * 3_600_000
  const image = await animatedWebp(12, 8)
  image.writeUIntLE(four, image.indexOf('ANMF') + 20, 3)
  for (const [operation, fields] of [
    ['convert', { format: 'webp' }],
    ['resize', { width: 6, height: 4 }],
    ['optimize', {}],
  ] as const) {
    const { bytes } = await post(operation, fields, { image })
    const { delay = [] } = await sharp(bytes, { animated: true }).metadata()
    assert.deepEqual(delay, [four, 200, 300], operation)
  }
})

test('a GIF that is repeated 65,535 times is accepted on every endpoint', async () => {
  const image = await animatedGif(12, 8)
  image.writeUInt16LE(65_535, image.indexOf('NETSCAPE2.0') + 13)
  for (const [operation, fields] of [
    ['convert', { format: 'webp' }],
    ['resize', { width: 6, height: 4 }],
    ['crop', { x: 0, y: 0, width: 6, height: 4 }],
    ['optimize', {}],
  ] as const) {
    const { status, bytes } = await post(operation, fields, { image })
    assert.equal(status, 200, operation)
    assert.ok(((await sharp(bytes, { animated: true }).metadata()).loop ?? 0) >= 65_535, operation)
  }
})

const loops = [0, 1, 7, 65_535]
for (const loop of loops) {
  test(`${loop === 0 ? 'an endless animation stays endless' : `an animation that plays ${loop} times still does`}`, async () => {
    const gif = await sharp(await animatedGif(12, 8), { animated: true })
      .gif({ loop })
      .toBuffer()
    const webp = await sharp(await animatedWebp(12, 8), { animated: true })
      .webp({ loop })
      .toBuffer()
    for (const image of [gif, webp]) {
      const sentCount = (await sharp(image, { animated: true }).metadata()).loop
      for (const [operation, fields] of [
        ['convert', { format: 'webp', rotate: 90 }],
        ['resize', { width: 6, height: 4 }],
      ] as const) {
        const { bytes } = await post(operation, fields, { image })
        assert.equal((await sharp(bytes, { animated: true }).metadata()).loop, sentCount, operation)
      }
    }
  })
}
