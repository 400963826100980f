import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { errorMapOf } from '../../src/likeness/ssimulacra2/error-map.ts'
import { judgeOf } from '../../src/likeness/ssimulacra2/ssimulacra2.ts'
import { type Damage, damagePicture, paintPicture } from './painted.ts'

/** Above 85 the reference's blur, which is recursive in 32 bits, adds rounding noise of its own. */
const tolerance = (score: number): number => (score < 85 ? 0.05 : 0.35)

/** What the reference program (cloudinary/ssimulacra2, version 2.1) prints for the same pixels. */
const reference: readonly (readonly [width: number, height: number, damage: Damage, score: number])[] = [
  [320, 213, 'noise', 70.11],
  [320, 213, 'blurred', 62.89],
  [320, 213, 'blocks', 2.43],
  [320, 213, 'faded', 91.05],
  [150, 90, 'noise', 90.35],
  [150, 90, 'blurred', 54.34],
  [150, 90, 'blocks', -11.5],
  [150, 90, 'faded', 94.74],
  [150, 90, 'mirrored', -64.3],
  [61, 37, 'noise', 93.47],
  [61, 37, 'blurred', 10.9],
  [61, 37, 'blocks', -63.93],
  [61, 37, 'faded', 93.74],
  [61, 37, 'mirrored', -81.49],
  [8, 8, 'noise', 93.14],
  [8, 8, 'blurred', 80.79],
  [8, 8, 'blocks', 69.46],
  [8, 8, 'faded', 98.54],
  [8, 8, 'mirrored', 64.93],
  [17, 300, 'noise', 92.85],
  [17, 300, 'blurred', 62.97],
  [17, 300, 'blocks', 36.35],
  [17, 300, 'faded', 97.32],
  [17, 300, 'mirrored', -4.27],
]

for (const [width, height, damage, score] of reference) {
  test(`${width} × ${height}, ${damage}: ${score}, as the reference program says`, () => {
    const original = paintPicture(width, height)
    const own = judgeOf([original]).score([damagePicture(original, damage)])
    assert.ok(Math.abs(own - score) < tolerance(score), String(own))
  })
}

test('equal pictures score 100', () => {
  const original = paintPicture(40, 30)
  assert.equal(judgeOf([original]).score([original]), 100)
})

test('grey pictures score as the same ones in colour', () => {
  const grey = onlyRed(paintPicture(64, 48))
  const damagedPicture = onlyRed(damagePicture(paintPicture(64, 48), 'noise'))
  const score = judgeOf([grey]).score([damagedPicture])
  assert.ok(score < 98, String(score))
  assert.equal(judgeOf([inThreeChannels(grey)]).score([inThreeChannels(damagedPicture)]), score)
})

test('a picture of one pixel is scored', () => {
  const pixel = (value: number): Raster => ({ data: Uint8Array.of(value, value, value), width: 1, height: 1, channels: 3 })
  const judge = judgeOf([pixel(100)])
  assert.equal(judge.score([pixel(100)]), 100)
  assert.ok(judge.score([pixel(200)]) < 95)
})

test('tiles are scored as one picture', () => {
  const first = paintPicture(128, 128)
  const second = damagePicture(paintPicture(128, 128), 'mirrored')
  const damagedFrames = [damagePicture(first, 'noise'), second]
  const both = judgeOf([first, second]).score(damagedFrames)
  assert.ok(both > judgeOf([first]).score(damagedFrames.slice(0, 1)), 'the other half is equal')
  assert.ok(both < 100)
})

test('damage to alpha counts, and colours that cannot be seen do not', () => {
  const original = transparent(paintPicture(64, 64), 0)
  const otherColours = { ...original, data: original.data.map((value, at) => (at % 256 < 128 || at % 4 === 3 ? value : 99)) }
  assert.equal(judgeOf([original]).score([otherColours]), 100)
  assert.ok(judgeOf([original]).score([transparent(paintPicture(64, 64), 60)]) < 80)
})

/** White objects are lost on white, grey ones on grey. */
test('with alpha, the worse of grey and white counts', () => {
  const shape = (value: number, opacity: number): Raster => {
    const data = new Uint8Array(64 * 64 * 4).fill(value)
    for (let at = 3; at < data.length; at += 4) data[at] = at % 256 < 128 ? 255 : opacity
    return { data, width: 64, height: 64, channels: 4 }
  }
  for (const value of [128, 255]) assert.ok(judgeOf([shape(value, 0)]).score([shape(value, 120)]) < 80, String(value))
})

const inThreeChannels = ({ data, ...rest }: Raster): Raster => ({
  ...rest,
  data: Uint8Array.from({ length: data.length * 3 }, (_, at) => data[Math.floor(at / 3)] as number),
  channels: 3,
})

const onlyRed = ({ data, ...rest }: Raster): Raster => ({ ...rest, data: data.filter((_, at) => at % 3 === 0), channels: 1 })

/** The left half opaque, the right half of that opacity. */
function transparent({ data, width, height }: Raster, opacity: number): Raster {
  const rgba = new Uint8Array(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++) {
    const alpha = pixel % width < width / 2 ? 255 : opacity
    rgba.set(data.subarray(pixel * 3, pixel * 3 + 3), pixel * 4)
    rgba[pixel * 4 + 3] = alpha
  }
  return { data: rgba, width, height, channels: 4 }
}

test('a map of errors has the score of the picture, and is worst where the picture was changed', () => {
  const original = paintPicture(150, 90)
  const data = Uint8Array.from(original.data)
  for (let y = 40; y < 56; y++)
    for (let at = (y * 150 + 80) * 3; at < (y * 150 + 104) * 3; at++) data[at] = 255 - (data[at] as number)
  const changedPicture = { ...original, data }
  const { score, columns, rows, scores } = errorMapOf(original, changedPicture)
  assert.deepEqual([columns, rows, scores.length], [19, 12, 19 * 12])
  assert.ok(Math.abs(score - judgeOf([original]).score([changedPicture])) < 1e-6)
  const worst = scores.indexOf(Math.min(...scores))
  assert.ok([10, 11, 12].includes(worst % columns) && [5, 6].includes(Math.floor(worst / columns)), String(worst))
  assert.ok((scores[0] as number) > Math.min(...scores) + 30)
  const { scores: ofEqual } = errorMapOf(original, original)
  assert.ok(ofEqual.every((each) => each === 100))
})
