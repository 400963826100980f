import assert from 'node:assert/strict'
import { test } from 'node:test'
import { near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import {
  alphaMark,
  av1Item,
  avifOf,
  avifSequence,
  codedAv1,
  codePoints,
  type LimitedGrey,
  limitedGrey,
  limitedGreys,
} from '@pixelmill/engine/test/support/avif'
import sharp from 'sharp'
import { sharedServer } from '../../../test/support/shared-server.ts'

/** AVIF that libvips opens in wrong colours or not at all. */

const { post } = sharedServer()

const red = await codedAv1(solid(16, 16, '#c86432'))
const blue = await codedAv1(solid(16, 16, '#5a46b4'))
const COLOUR = [200, 100, 50] as const

async function shownPixels(image: Buffer): Promise<readonly number[]> {
  const answer = await post('convert', { format: 'png' }, { image })
  assert.equal(answer.status, 200, String(answer.error?.message))
  return pixel(answer.bytes, 8, 8)
}

const levelOf = (name: LimitedGrey): number => (name.endsWith('black') ? 0 : name.endsWith('white') ? 255 : 128)

for (const name of limitedGreys) {
  test(`grey in limited range: ${name}, named by its box or by its stream`, async () => {
    const grey = limitedGrey(name)
    const value = levelOf(name)
    for (const properties of [[codePoints(1, 13, 6, false)], [], [codePoints(2, 2, 2, true)]]) {
      const [r, g, b] = await shownPixels(avifOf([av1Item(grey, ...properties)]))
      assert.ok(near([r ?? -1, g ?? -1, b ?? -1], [value, value, value], 1), `${r}, not ${value}`)
    }
  })
}

test('grey of full range, as the box says, is not changed', async () => {
  assert.ok(
    near(await shownPixels(avifOf([av1Item(limitedGrey('8-bit white'), codePoints(1, 13, 6, true))])), [235, 235, 235], 1),
  )
})

test('alpha in limited range is opaque at white and transparent at black', async () => {
  for (const name of ['8-bit white', '8-bit black', '10-bit grey'] as const) {
    const alpha = { ...av1Item(limitedGrey(name), alphaMark), alphaOf: 1 }
    const [r, g, b, a = -1] = await shownPixels(avifOf([av1Item(red, codePoints(1, 13, 6, true)), alpha]))
    assert.ok(Math.abs(a - levelOf(name)) <= 1, `alpha ${a}`)
    if (a > 0) assert.ok(near([r ?? -1, g ?? -1, b ?? -1], COLOUR, 6), `${r}, ${g}, ${b}`)
  }
})

test('the colour boxes of further images, such as gain maps, are not applied to the picture', async () => {
  const other = { ...av1Item(blue, codePoints(9, 16, 9, false)), hidden: true }
  assert.ok(near(await shownPixels(avifOf([av1Item(red), other])), COLOUR, 6))
})

test('a file that leaves out pixi and names AVIF behind other brands is AVIF', async () => {
  assert.ok(near(await shownPixels(avifOf([av1Item(red)], 'mif1\0\0\0\0mif1avifmiaf')), COLOUR, 6))
})

const colour = codePoints(1, 13, 6, true)
const still = avifOf([av1Item(red, colour)])
const sequences: Readonly<Record<string, Buffer>> = {
  'without a still picture': avifSequence([{ handler: 'pict', frames: [red, blue, red], colour }]),
  'beside a still picture': avifSequence(
    [{ handler: 'pict', frames: [red, blue], colour }],
    still.subarray(still.readUInt32BE(0)),
  ),
}

for (const [name, image] of Object.entries(sequences)) {
  test(`an image sequence ${name}: the first frame, and a warning that says so`, async () => {
    for (const [operation, fields] of [
      ['convert', { format: 'png' }],
      ['resize', { width: 8, height: 8 }],
      ['crop', { x: 0, y: 0, width: 8, height: 8 }],
    ] as const) {
      const { status, bytes, headers, error } = await post(operation, fields, { image })
      assert.deepEqual([status, headers.get('x-image-warnings')], [200, 'first_frame_only'], String(error?.message))
      assert.ok(near(await pixel(bytes, 4, 4), COLOUR, 8), operation)
    }
    const optimizedAnswer = await post('optimize', {}, { image })
    assert.deepEqual([optimizedAnswer.status, optimizedAnswer.headers.get('x-image-warnings')], [200, null])
    assert.ok(optimizedAnswer.bytes.equals(image))
  })
}

test('the alpha of a sequence is read from its own track', async () => {
  const frames = [limitedGrey('8-bit black'), limitedGrey('8-bit white')]
  const image = avifSequence([
    { handler: 'pict', frames: [red, blue], colour },
    { handler: 'auxv', frames },
  ])
  const { bytes, status } = await post('convert', { format: 'png' }, { image })
  assert.equal(status, 200)
  assert.equal((await sharp(bytes).metadata()).hasAlpha, true)
  assert.equal((await pixel(bytes, 8, 8))[3], 0)
})

test('a sequence that AV1 did not code is refused with a message that names the codec', async () => {
  const image = avifSequence([{ handler: 'pict', frames: [red], codec: 'avc1' }])
  const { status, error } = await post('convert', {}, { image })
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_image'])
  assert.match(error?.message ?? '', /AVIF image sequence without a picture that AV1 coded/)
})
