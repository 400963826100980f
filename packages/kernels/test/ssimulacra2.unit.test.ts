import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sRgbCurve } from '../src/srgb.ts'
import { type Comparison, describe, type Picture, sumsBeside, sumsOfErrors } from '../src/ssimulacra2.ts'
import { randomNumbers } from './support/random-numbers.ts'

type Size = Pick<Picture, 'width' | 'height'>

/** A plane of numbers of 64 bits. */
interface Plane extends Size {
  readonly values: readonly number[]
}

const TAPS = [0.2646211054881986, 0.2129285920104222, 0.10933537277746029, 0.03601111465836435, 0.009414367809653717]
const BIAS = 0.0037930732552754493
const C2 = 0.0009

const fillPlane = ({ width, height }: Size, valueAt: (x: number, y: number) => number): Plane => ({
  width,
  height,
  values: Array.from({ length: width * height }, (_, at) => valueAt(at % width, Math.floor(at / width))),
})

const at = ({ width, values }: Plane, x: number, y: number) => values[y * width + x] as number

/** Red, green and blue on a grey background, in linear light. */
function lightOf(picture: Picture, background: number): readonly Plane[] {
  const { channels, data, width } = picture
  const colours = channels < 3 ? 1 : 3
  return [0, 1, 2].map((colour) =>
    fillPlane(picture, (x, y) => {
      const pixel = (y * width + x) * channels
      const opacity = channels > colours ? (data[pixel + colours] as number) / 255 : 1
      const sample = data[pixel + Math.min(colour, colours - 1)] as number
      return sRgbCurve((sample * opacity + background * (1 - opacity)) / 255)
    }),
  )
}

const half = (plane: Plane): Plane =>
  fillPlane({ width: Math.ceil(plane.width / 2), height: Math.ceil(plane.height / 2) }, (x, y) => {
    const right = Math.min(2 * x + 1, plane.width - 1)
    const below = Math.min(2 * y + 1, plane.height - 1)
    return (at(plane, 2 * x, 2 * y) + at(plane, right, 2 * y) + at(plane, 2 * x, below) + at(plane, right, below)) / 4
  })

function opsinOf([red, green, blue]: readonly Plane[]): readonly Plane[] {
  const size = red as Plane
  const response = (x: number, y: number, r: number, g: number, b: number) =>
    Math.cbrt(r * at(size, x, y) + g * at(green as Plane, x, y) + b * at(blue as Plane, x, y) + BIAS) - Math.cbrt(BIAS)
  const long = fillPlane(size, (x, y) => response(x, y, 0.3, 0.622, 0.078))
  const middle = fillPlane(size, (x, y) => response(x, y, 0.23, 0.692, 0.078))
  const short = fillPlane(size, (x, y) => response(x, y, 0.24342268924547819, 0.20476744424496821, 0.5518098665095535))
  return [
    fillPlane(size, (x, y) => 7 * (at(long, x, y) - at(middle, x, y)) + 0.42),
    fillPlane(size, (x, y) => (at(long, x, y) + at(middle, x, y)) / 2 + 0.01),
    fillPlane(size, (x, y) => at(short, x, y) - (at(long, x, y) + at(middle, x, y)) / 2 + 0.55),
  ]
}

function blurPlane(plane: Plane, outside: Comparison['outside']): Plane {
  const blurAlong = (from: Plane, dx: number, dy: number) =>
    fillPlane(from, (x, y) => {
      let sum = 0
      let inside = 0
      for (let tap = -4; tap <= 4; tap++) {
        const column = x + tap * dx
        const row = y + tap * dy
        if (column < 0 || row < 0 || column >= from.width || row >= from.height) continue
        sum += (TAPS[Math.abs(tap)] as number) * at(from, column, row)
        inside += TAPS[Math.abs(tap)] as number
      }
      return outside === 'nothing' && inside < 0.9999 ? sum / inside : sum
    })
  return blurAlong(blurAlong(plane, 1, 0), 0, 1)
}

const product = (one: Plane, other: Plane): Plane => fillPlane(one, (x, y) => at(one, x, y) * at(other, x, y))

/** The definition: SSIM without its term for brightness, and what is gained or lost in edges. */
function errorsOf(one: Plane, other: Plane, outside: Comparison['outside']): readonly number[] {
  const blur = (plane: Plane) => blurPlane(plane, outside)
  const [mean, otherMean] = [blur(one), blur(other)] as const
  const [squares, otherSquares, products] = [
    blur(product(one, one)),
    blur(product(other, other)),
    blur(product(one, other)),
  ] as const
  const sums = new Array<number>(6).fill(0)
  fillPlane(one, (x, y) => {
    const m = at(mean, x, y)
    const o = at(otherMean, x, y)
    const covariance = at(products, x, y) - m * o
    const variances = at(squares, x, y) - m * m + at(otherSquares, x, y) - o * o
    const structure = Math.max(0, 1 - ((1 - (m - o) ** 2) * (2 * covariance + C2)) / (variances + C2))
    const edge = Math.abs(at(one, x, y) - m)
    const change = (Math.abs(at(other, x, y) - o) - edge) / (1 + edge)
    for (const [map, error] of [structure, Math.max(0, change), Math.max(0, -change)].entries()) {
      sums[map] = (sums[map] as number) + error
      sums[map + 3] = (sums[map + 3] as number) + error ** 4
    }
    return 0
  })
  return sums
}

function reference(original: Picture, encodedPicture: Picture, { scales, background, outside }: Comparison) {
  let light = lightOf(original, background)
  let encodedLight = lightOf(encodedPicture, background)
  return scales.map((planes, scale) => {
    if (scale > 0) {
      light = light.map(half)
      encodedLight = encodedLight.map(half)
    }
    const opsin = opsinOf(light)
    const encodedOpsin = opsinOf(encodedLight)
    return planes.map((is, plane) => (is ? errorsOf(opsin[plane] as Plane, encodedOpsin[plane] as Plane, outside) : undefined))
  })
}

function noise({ width, height }: Size, channels: number, seed: number, around?: Picture): Picture {
  const next = randomNumbers(seed)
  const data = Uint8Array.from({ length: width * height * channels }, (_, place) => {
    const value = next()
    if (around) return Math.max(0, Math.min(255, (around.data[place] as number) + Math.round(value * 30 - 15)))
    return value < 1 / 6 ? 0 : value > 5 / 6 ? 255 : Math.floor(next() * 256)
  })
  return { width, height, channels, data }
}

const all: Comparison['scales'] = [
  [true, true, true],
  [true, true, true],
  [false, true, true],
]

function assertAlike(original: Picture, encodedPicture: Picture, comparison: Comparison, label: string): void {
  const sums = sumsOfErrors(describe([original], comparison), [encodedPicture])
  for (const [scale, planes] of reference(original, encodedPicture, comparison).entries()) {
    for (const [plane, expected] of planes.entries()) {
      const actual = sums[scale]?.[plane]
      if (!expected) {
        assert.equal(actual, undefined)
        continue
      }
      const pixels = Math.ceil(original.width / 2 ** scale) * Math.ceil(original.height / 2 ** scale)
      assert.equal(actual?.pixels, pixels)
      for (const [nth, sum] of expected.entries()) {
        const difference: number = Math.abs((actual.values[nth] as number) - sum) / pixels
        const most = 2e-5 + (2e-4 * sum) / pixels
        assert.ok(difference < most, `${label}, scale ${scale}, plane ${plane}, sum ${nth}: ${actual.values[nth]}, not ${sum}`)
      }
    }
  }
}

test('every size from 1 to 40 has the errors of the reference, with each number of channels and both kinds of edges', () => {
  for (let side = 1; side <= 40; side++) {
    const size = { width: side, height: ((side * 17) % 40) + 1 }
    const channels = (side % 4) + 1
    const original = noise(size, channels, side)
    const encodedPicture = noise(size, channels, side + 100, original)
    const outside = side % 2 ? 'zero' : 'nothing'
    assertAlike(original, encodedPicture, { scales: all, background: 229.5, outside }, `${side}, ${channels} channels`)
  }
})

test('black beside white has the errors of the reference', () => {
  const size = { width: 33, height: 21 }
  const original = { ...noise(size, 3, 1), data: new Uint8Array(33 * 21 * 3) }
  const encodedPicture = { ...original, data: original.data.map((_, place) => (Math.floor(place / 3) % 2 ? 255 : 0)) }
  assertAlike(original, encodedPicture, { scales: all, background: 128, outside: 'zero' }, 'lines')
})

test('errors of equal pictures are exactly 0, and those of several pictures are sums', () => {
  const size = { width: 50, height: 30 }
  const comparison = { scales: all, background: 128, outside: 'nothing' } as const
  const first = noise(size, 4, 1)
  const second = noise(size, 4, 2)
  const damagedPicture = noise(size, 4, 3, second)
  const description = describe([first, second], comparison)
  for (const planes of sumsOfErrors(description, [first, second]))
    for (const plane of planes) assert.ok(plane === undefined || plane.values.every((sum) => sum === 0))
  const both = sumsOfErrors(description, [first, damagedPicture])
  const alone = sumsOfErrors(describe([second], comparison), [damagedPicture])
  assert.deepEqual(both[1]?.[1]?.values, alone[1]?.[1]?.values)
  assert.equal(both[1]?.[1]?.pixels, 2 * (alone[1]?.[1]?.pixels as number))
})

test('an original that is described meanwhile has the same errors', () => {
  for (const size of [
    { width: 30, height: 500 },
    { width: 9, height: 13 },
    { width: 1, height: 1 },
  ]) {
    const scales = Array.from({ length: 6 }, () => [true, true, true])
    const comparison = { scales, background: 128, outside: 'zero' } as const
    const originals = [noise(size, 3, 6), noise(size, 3, 7)]
    const pictures = originals.map((original, nth) => noise(size, 3, 8 + nth, original))
    assert.deepEqual(sumsBeside(originals, comparison, pictures), sumsOfErrors(describe(originals, comparison), pictures))
    assert.throws(() => sumsBeside(originals, comparison, pictures.slice(1)), /differ in size or number/)
  }
})

test('a line of 65,535 pixels is compared', () => {
  const line = noise({ width: 65_535, height: 1 }, 3, 4)
  const comparison = { scales: [[false, true, false]], background: 128, outside: 'zero' } as const
  assertAlike(line, noise(line, 3, 5, line), comparison, 'a line')
})

test('pictures of another size or number, and rasters shorter than their size says, are refused', () => {
  const comparison = { scales: all, background: 128, outside: 'zero' } as const
  const picture = noise({ width: 10, height: 10 }, 3, 1)
  const description = describe([picture], comparison)
  assert.throws(() => sumsOfErrors(description, [noise({ width: 10, height: 9 }, 3, 1)]), /differ in size or number/)
  assert.throws(() => sumsOfErrors(description, [picture, picture]), /differ in size or number/)
  const short = { ...picture, data: picture.data.subarray(1) }
  assert.throws(() => sumsOfErrors(description, [short]), /fewer samples/)
  assert.throws(() => describe([short], comparison), /fewer samples/)
})
