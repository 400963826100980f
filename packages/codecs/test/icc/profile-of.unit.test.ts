import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sRgbCurve } from '@pixelmill/kernels/srgb'
import sharp from 'sharp'
import { colorants, D50, profileOf } from '../../src/icc-profile.ts'
import { fromBitmap } from '../../src/pixels/from-bitmap.ts'
import { D65, gammaCurve, type RgbSpace, rgbSpaceOf } from '../../src/rgb-space.ts'
import { near } from '../support/pictures.ts'

const sRgb: RgbSpace = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: D65,
  curves: [sRgbCurve, sRgbCurve, sRgbCurve],
}
const space = (primaries: number, transfer: number): RgbSpace => {
  const rgbSpace = rgbSpaceOf({ primaries, transfer })
  if (!rgbSpace) throw new Error('this is sRGB')
  return rgbSpace
}
const close = (actual: readonly number[], expected: readonly number[], tolerance: number) =>
  assert.ok(
    expected.every((value, index) => Math.abs(value - (actual[index] ?? Number.NaN)) <= tolerance),
    `${actual} is not ${expected}`,
  )

/** What sharp, by LittleCMS, makes of one colour in a space, in sRGB. */
async function inSRgb(colour: readonly number[], of: RgbSpace): Promise<readonly number[]> {
  const bitmap = { width: 1, height: 1, channels: 3, data: Uint8Array.from(colour), icc: profileOf(of) } as const
  const pixels = await fromBitmap(bitmap)
  return [...(await pixels.toColourspace('srgb').raw().toBuffer())]
}

test("sRGB's colorants are those of its published profile", () => {
  // rXYZ, gXYZ, bXYZ of the sRGB profile of the ICC (sRGB_v4_ICC_preference and sRGB2014 agree in four digits).
  const [red, green, blue] = colorants(sRgb)
  close(red, [0.4361, 0.2225, 0.0139], 0.0003)
  close(green, [0.3851, 0.7169, 0.0971], 0.0003)
  close(blue, [0.1431, 0.0606, 0.7141], 0.0003)
})

test("Display P3's colorants are those of Apple's profile", () => {
  const [red, green, blue] = colorants(space(12, 13))
  close(red, [0.5151, 0.2412, -0.001], 0.0005)
  close(green, [0.292, 0.6922, 0.0419], 0.0005)
  close(blue, [0.1571, 0.0666, 0.7841], 0.0005)
})

for (const [name, of] of Object.entries({ sRgb, p3: space(12, 13), dciP3: space(11, 17), bt2020: space(9, 14) })) {
  test(`white of ${name} is white, D50 in the profile`, async () => {
    const [red, green, blue] = colorants(of)
    close(
      [0, 1, 2].map((axis) => (red[axis] ?? 0) + (green[axis] ?? 0) + (blue[axis] ?? 0)),
      D50,
      1e-9,
    )
    assert.ok(near(await inSRgb([255, 255, 255], of), [255, 255, 255], 1))
    assert.ok(near(await inSRgb([0, 0, 0], of), [0, 0, 0], 1))
  })
}

test('a profile of sRGB changes nothing', async () => {
  for (const colour of [
    [1, 2, 3],
    [12, 30, 60],
    [200, 100, 50],
    [128, 128, 128],
    [255, 0, 0],
  ])
    assert.ok(near(await inSRgb(colour, sRgb), colour, 1), `${colour} became ${await inSRgb(colour, sRgb)}`)
})

test('colours of wide spaces are what they are known to be in sRGB', async () => {
  // P3's red is outside of sRGB: clipped to its red. The others lie inside, by the matrices of CSS Color 4, section 10.
  assert.ok(near(await inSRgb([255, 0, 0], space(12, 13)), [255, 0, 0], 1))
  assert.ok(near(await inSRgb([234, 51, 35], space(12, 13)), [255, 0, 0], 2))
  assert.ok(near(await inSRgb([117, 251, 76], space(12, 13)), [0, 255, 0], 3))
  assert.ok(near(await inSRgb([160, 128, 96], space(12, 13)), [165, 127, 91], 2))
})

test('gamma, linear and BT.709 curves', async () => {
  assert.ok(near(await inSRgb([128, 128, 128], space(1, 8)), [188, 188, 188], 1))
  assert.ok(near(await inSRgb([128, 128, 128], space(1, 4)), [129, 129, 129], 1))
  assert.equal(rgbSpaceOf({ primaries: 1, transfer: 1 }), undefined)
  assert.equal(rgbSpaceOf({ primaries: 2, transfer: 2 }), undefined)
  assert.equal(rgbSpaceOf({ primaries: 65_535, transfer: 65_535 }), undefined)
  close([gammaCurve(2.2)(0.5), sRgbCurve(0.5), sRgbCurve(0.04)], [0.2176, 0.214, 0.0031], 0.0001)
})

/** Diffuse white, 203 cd/m², lands here: brighter light is above it. */
const WHITE = 0.6 + 0.4 * (1 - Math.exp(-1))
const [pq] = space(9, 16).curves
const [hlg] = space(9, 18).curves

test('PQ: the signal levels of BT.2408 for diffuse white, and of BT.2100 for the ends', () => {
  close([pq(0), pq(0.58), pq(0.5807)], [0, WHITE, WHITE], 0.003)
  // 100 cd/m² is 0.5081 of the signal and below the shoulder: in proportion to white.
  close([pq(0.5081)], [100 / 203], 0.002)
  assert.ok(pq(0.75) > 0.97 && pq(1) <= 1)
})

test('HLG: 75 % of the signal is diffuse white', () => {
  close([hlg(0), hlg(0.75)], [0, WHITE], 0.003)
  assert.ok(hlg(1) > 0.97 && hlg(1) <= 1)
})

test('every curve rises from 0 and stays within 0–1', () => {
  for (const transfer of [4, 5, 8, 13, 16, 17, 18]) {
    const [curve] = space(9, transfer).curves
    const values = Array.from({ length: 1_001 }, (_, step) => curve(step / 1_000))
    assert.ok(values.every((value, step) => value >= (values[step - 1] ?? 0) && value <= 1.000_001))
    assert.equal(values[0], 0)
  }
})

test('a profile is one that others can read: sizes, offsets and signatures hold', async () => {
  const icc = profileOf(space(12, 13))
  assert.equal(icc.readUInt32BE(0), icc.length)
  assert.equal(icc.toString('latin1', 12, 24), 'mntrRGB XYZ ')
  assert.equal(icc.toString('latin1', 36, 40), 'acsp')
  const tags = Array.from({ length: icc.readUInt32BE(128) }, (_, tag) => 132 + tag * 12)
  const ends = tags.map((at) => icc.readUInt32BE(at + 4) + icc.readUInt32BE(at + 8))
  assert.equal(Math.max(...ends), icc.length)
  assert.ok(tags.every((at) => icc.readUInt32BE(at + 4) % 4 === 0))
  const pixels = await fromBitmap({ width: 1, height: 1, channels: 3, data: Uint8Array.from([1, 2, 3]), icc })
  const png = await pixels.keepIccProfile().png().toBuffer()
  assert.deepEqual((await sharp(png).metadata()).icc, icc)
})
