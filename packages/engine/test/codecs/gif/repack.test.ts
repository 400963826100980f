import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGif } from '@pixelmill/codecs/gif/read-gif'
import { repack, repackNear } from '@pixelmill/codecs/gif/repack'
import { plainGif } from '../../support/gif.ts'
import { animation, HEIGHT, kinds, MAX_PIXELS, optimizeEach, packSame, rawFrames, timing, WIDTH } from './animations.ts'

for (const [name, kind] of Object.entries(kinds)) {
  test(`${name}: packed again, every frame looks the same and lasts as long`, () => packSame(kind, 2))

  test(`${name}: packed with loss, no pixel leaves its tolerance, and what is transparent stays so`, async () => {
    for (const tolerance of [1, 8, 40]) {
      const source = animation(kind)
      const file = readGif(source, MAX_PIXELS)
      assert.ok(file)
      const repackedFile = repackNear(file, tolerance)
      if (!repackedFile) continue
      assert.deepEqual(await timing(repackedFile), await timing(source))
      const before = await rawFrames(source)
      const after = await rawFrames(repackedFile)
      for (let at = 0; at < before.length; at += 4) {
        const luma = (data: Buffer) => 0.299 * (data[at] ?? 0) + 0.587 * (data[at + 1] ?? 0) + 0.114 * (data[at + 2] ?? 0)
        assert.equal(after[at + 3], before[at + 3])
        assert.ok(Math.abs(luma(before) - luma(after)) <= 2.5 * tolerance)
      }
    }
  })
}

test('more tolerance makes fewer bytes', () => {
  const file = readGif(animation({ colours: 200 }), MAX_PIXELS)
  assert.ok(file)
  const sizes = [1, 20, 60].map((tolerance) => repackNear(file, tolerance)?.length ?? 0)
  assert.deepEqual(
    sizes,
    sizes.toSorted((a, b) => b - a),
  )
  assert.ok((sizes[2] ?? 0) < (sizes[0] ?? 0) * 0.9)
})

test('a frame without a graphic control lasts as long as before, and so does one of no duration', async () => {
  for (const delay of [undefined, 0]) {
    const source = plainGif(
      4,
      4,
      [9, 9, 9, 200, 0, 0],
      [
        { left: 0, top: 0, width: 4, height: 4, indices: new Array<number>(16).fill(1), delay },
        { left: 1, top: 1, width: 2, height: 2, indices: [0, 0, 0, 1], delay },
      ],
    )
    const file = readGif(source, MAX_PIXELS)
    const repackedFile = file && repack(file, 5)
    assert.ok(repackedFile)
    assert.deepEqual(await timing(repackedFile), await timing(source))
    assert.deepEqual(await rawFrames(repackedFile), await rawFrames(source))
  }
})

test('what has more pixels than allowed is not read', () => {
  assert.equal(readGif(animation({}), WIDTH * HEIGHT * 7 - 1), undefined)
  assert.ok(readGif(animation({}), WIDTH * HEIGHT * 7))
})

const some = ['one palette', 'every disposal, palettes of their own', 'interlaced rows'].flatMap((name) => kinds[name] ?? [])
test('optimize is never larger, keeps every frame, and changes no pixel at 100', () => optimizeEach(some))
