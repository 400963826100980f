import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { judgeOf } from '../../src/likeness/ssimulacra2/ssimulacra2.ts'
import { judgeOfPicture, sampleOf, tiledPart } from '../../src/likeness/tiles.ts'
import { damagePicture, paintPicture } from './painted.ts'

const blank = (width: number, height: number, channels = 3): Raster => ({
  width,
  height,
  channels,
  data: new Uint8Array(width * height * channels).fill(120),
})

test('a small picture is its own sample, and its score is that of all pixels', () => {
  const picture = paintPicture(320, 213)
  const { stacked, share, score } = sampleOf(picture, 20)
  assert.equal(stacked, picture)
  assert.equal(share, 1)
  const damagedPicture = damagePicture(picture, 'noise')
  assert.equal(score(damagedPicture), judgeOf([picture]).score([damagedPicture]))
})

test('of a large picture twenty tiles are taken, and their score is near that of all pixels', () => {
  const picture = paintPicture(1000, 800)
  const { stacked, share, score } = sampleOf(picture, 20)
  assert.deepEqual([stacked.width, stacked.height, stacked.channels], [80, 20 * 80, picture.channels])
  assert.equal(share, (20 * 80 * 80) / 800_000)
  assert.equal(score(stacked), 100)
  const whole = judgeOf([picture]).score([damagePicture(picture, 'noise')])
  const estimate = score(damagePicture(stacked, 'noise'))
  assert.ok(Math.abs(whole - estimate) < 3, `${whole}, ${estimate}`)
})

test('what an encoder does at the edges of a tile is not scored', () => {
  const { stacked, score } = sampleOf(paintPicture(1000, 800), 20)
  const row = 80 * 3
  const damagedRows = stacked.data.map((value, at) => {
    const isInside = (place: number) => place >= 8 && place < 72
    const isScored = isInside(Math.floor(at / row) % 80) && isInside(Math.floor((at % row) / 3))
    return isScored ? value : 255 - value
  })
  assert.equal(score({ ...stacked, data: damagedRows }), 100)
  assert.ok(score({ ...stacked, data: stacked.data.map((value) => 255 - value) }) < 0)
})

test('flat and busy parts have their shares of the tiles', () => {
  const picture = blank(1280, 1280)
  // A quarter of the picture is noise.
  for (let y = 640; y < 1280; y++)
    for (let x = 0; x < 640 * 3; x++) picture.data[y * 1280 * 3 + x] = (x * 7919 + y * 104_729) % 251
  const { stacked } = sampleOf(picture, 20)
  const busy = Array.from({ length: 20 }, (_, nth) => stacked.data.subarray(nth * 80 * 80 * 3, (nth + 1) * 80 * 80 * 3)).filter(
    (tile) => tile.some((value) => value !== 120),
  )
  assert.equal(busy.length, 5)
})

test('tiles side by side are those of the picture, and a shift moves each of them', () => {
  const picture = paintPicture(300, 200)
  const { onGrid, offGrid } = tiledPart(picture, 7)
  assert.deepEqual([onGrid.width, onGrid.height, onGrid.channels], [2 * 64, 3 * 64, 3])
  const rowOf = ({ data, width }: Raster, left: number, top: number) =>
    Buffer.from(data.subarray((top * width + left) * 3, (top * width + left + 60) * 3))
  for (const [left, top] of [
    [0, 0],
    [64, 0],
    [64, 128],
  ] as const) {
    const whole = Buffer.from(picture.data)
    assert.ok(whole.includes(rowOf(onGrid, left, top)), 'a row of a tile is in the picture')
    for (const y of [0, 30, 59])
      assert.deepEqual(rowOf(offGrid, left, top + y), rowOf(onGrid, left + 4, top + y + 4), `${left}, ${top}, ${y}`)
  }
})

test('no tile reaches over two frames of an animation', () => {
  const width = 300
  const height = 200
  const frames = 8
  const strip = blank(width, height * frames, 4)
  for (let frame = 0; frame < frames; frame++) {
    strip.data.fill(frame * 20, frame * width * height * 4, (frame + 1) * width * height * 4)
  }
  const { stacked } = sampleOf(strip, 20, frames)
  const bytes = 80 * 80 * 4
  for (let at = 0; at < stacked.data.length; at += bytes) {
    assert.equal(new Set(stacked.data.subarray(at, at + bytes)).size, 1)
  }
})

for (const [width, height] of [
  [20_000, 17],
  [17, 20_000],
  [1, 400_000],
] as const) {
  test(`a picture of ${width} × ${height} is sampled`, () => {
    const { stacked, score } = sampleOf(blank(width, height), 6)
    assert.ok(stacked.width * stacked.height < width * height)
    assert.equal(score(stacked), 100)
  })
}

test('the frames of an animation are scored as pictures of their own', () => {
  const frame = paintPicture(40, 30)
  const strip = { ...frame, height: 60, data: Buffer.concat([frame.data, frame.data]) }
  const damagedFrame = damagePicture(frame, 'noise')
  const damagedStrip = { ...strip, data: Buffer.concat([damagedFrame.data, damagedFrame.data]) }
  const score = judgeOfPicture(strip, 2).score(damagedStrip)
  assert.ok(Math.abs(score - judgeOf([frame]).score([damagedFrame])) < 1e-9, String(score))
  assert.notEqual(judgeOfPicture(strip).score(damagedStrip), score)
})
