import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlainFrame, plainGif } from '@pixelmill/engine/test/support/gif'
import sharp from 'sharp'
import { sharedServer } from '../../support/shared-server.ts'

const { post } = sharedServer()

const RED = 0
const GREEN = 1
const BLUE = 2
const palette = [255, 0, 0, 0, 255, 0, 0, 0, 255]
const CLEAR = 2
const square = (left: number, top: number, size: number, colour: number): PlainFrame => ({
  left,
  top,
  width: size,
  height: size,
  delay: 10,
  indices: new Array<number>(size * size).fill(colour),
})
const beside = square(6, 6, 4, GREEN)

const colours: Readonly<Record<string, readonly number[]>> = {
  r: [255, 0, 0, 255],
  g: [0, 255, 0, 255],
  b: [0, 0, 255, 255],
  '.': [0, 0, 0, 0],
}

/** Of an 8 × 8 screen, what stands at (1, 1), (6, 6) and (7, 0) with each frame. */
const looks: Readonly<Record<string, readonly [readonly PlainFrame[], readonly string[]]>> = {
  'what no frame has painted is transparent': [
    [square(0, 0, 4, RED), square(4, 4, 4, GREEN)],
    ['r..', 'rg.'],
  ],
  'what was disposed to the background is transparent': [
    [{ ...square(0, 0, 8, RED), disposal: CLEAR }, square(4, 4, 4, GREEN)],
    ['rrr', '.g.'],
  ],
  'disposed to what was there before, it is that': [
    [square(0, 0, 8, RED), { ...square(4, 4, 4, GREEN), disposal: 3 }, square(0, 0, 2, BLUE)],
    ['rrr', 'rgr', 'brr'],
  ],
  'a frame beyond the screen is cut': [
    [square(0, 0, 8, RED), beside],
    ['rrr', 'rgr'],
  ],
  'an index without a colour paints nothing': [
    [square(0, 0, 8, RED), { ...square(4, 4, 4, 99), indices: [BLUE, ...new Array<number>(15).fill(99)] }],
    ['rrr', 'rrr'],
  ],
}

for (const [name, [frames, expected]] of Object.entries(looks)) {
  test(`as in browsers, of a GIF ${name}`, async () => {
    const image = plainGif(8, 8, palette, frames)
    for (const [operation, fields] of [
      ['convert', { format: 'webp' }],
      ['crop', { x: 0, y: 0, width: 8, height: 8 }],
      ['optimize', { quality: 100 }],
    ] as const) {
      const { status, bytes, error } = await post(operation, fields, { image })
      assert.equal(status, 200, `${operation}: ${error?.message}`)
      // An optimized file may be as it came, which libvips would show otherwise.
      if (operation === 'optimize') continue
      const { data, info } = await sharp(bytes, { animated: true }).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
      assert.equal(info.height, 8 * expected.length, operation)
      for (const [frame, looks] of expected.entries()) {
        for (const [place, [x, y]] of (
          [
            [1, 1],
            [6, 6],
            [7, 0],
          ] as const
        ).entries()) {
          const at = ((frame * 8 + y) * 8 + x) * 4
          const [, , , alpha] = data.subarray(at, at + 4)
          const want = colours[looks[place] ?? ''] ?? []
          const isAlike = want.every((value, channel) => Math.abs(value - (data[at + channel] ?? 0)) < 8)
          assert.ok(
            isAlike || (want[3] === 0 && alpha === 0),
            `${operation} frame ${frame} at ${x}, ${y}: ${data.subarray(at, at + 4).join()}`,
          )
        }
      }
    }
  })
}

/** The second of three frames is damaged: a code that stands for nothing. */
function damagedPicture(): Buffer {
  const first = square(0, 0, 8, RED)
  const second = square(0, 0, 8, GREEN)
  const third = square(0, 0, 8, BLUE)
  const whole = plainGif(8, 8, palette, [first, second, third])
  const start = plainGif(8, 8, palette, [first]).length - 1
  const pixels = whole.indexOf(0x2c, start) + 12
  whole.fill(0xff, pixels, pixels + 8)
  return whole
}

for (const [name, image, expected] of [
  ['damaged', damagedPicture(), 1],
  ['cut', plainGif(8, 8, palette, [square(0, 0, 8, RED), square(0, 0, 8, GREEN), square(0, 0, 8, BLUE)]).subarray(0, -20), 2],
] as const) {
  test(`a GIF whose later frame is ${name} keeps the frames before it, and a header reports it`, async () => {
    for (const [operation, fields] of [
      ['convert', { format: 'webp' }],
      ['resize', { width: 4, height: 4 }],
      ['crop', { x: 0, y: 0, width: 4, height: 4 }],
    ] as const) {
      const answer = await post(operation, fields, { image })
      assert.equal(answer.status, 200, `${operation}: ${answer.error?.message}`)
      assert.equal(answer.headers.get('x-image-warnings'), 'later_frames_damaged', operation)
      assert.equal((await sharp(answer.bytes, { animated: true }).metadata()).pages ?? 1, expected, operation)
    }
  })
}

test('a GIF whose first frame is damaged is refused', async () => {
  const image = damagedPicture().subarray(0, 40)
  const { status, error } = await post('convert', {}, { image })
  assert.deepEqual([status, error?.statusMessage], [400, 'invalid_image'])
})
