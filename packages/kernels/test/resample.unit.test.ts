import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Basis, type Pixels, resample, type Window } from '../src/resample.ts'
import { sRgbCoded, sRgbCurve } from '../src/srgb.ts'
import { randomNumbers } from './support/random-numbers.ts'

interface Size {
  readonly width: number
  readonly height: number
}

const whole = ({ width, height }: Size): Window => ({ left: 0, top: 0, width, height })
const opaqueOf = ({ data }: Pixels) => (data.BYTES_PER_ELEMENT === 2 ? 65_535 : 255)

function resampleAll(picture: Pixels, to: Size, basis: Basis = 'light', window = whole(to)): Pixels {
  const length = window.width * window.height * picture.channels
  const data = picture.data.BYTES_PER_ELEMENT === 2 ? new Uint16Array(length) : new Uint8Array(length)
  resample(picture, to, window, basis, data)
  return { width: window.width, height: window.height, channels: picture.channels, data }
}

function noise({ width, height }: Size, channels: number, depth: 8 | 16, seed: number): Pixels {
  const next = randomNumbers(seed)
  const length = width * height * channels
  const data = depth === 16 ? new Uint16Array(length) : new Uint8Array(length)
  // A third of the samples are extremes.
  for (let at = 0; at < length; at++) {
    const value = next()
    data[at] = value < 1 / 6 ? 0 : value > 5 / 6 ? 2 ** depth - 1 : Math.floor(next() * 2 ** depth)
  }
  return { width, height, channels, data }
}

const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
const lanczos3 = (x: number) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0)

/** What a sample of the result depends on, in plain numbers: places and weights. */
function tapsOf(from: number, to: number, at: number): readonly (readonly [place: number, weight: number])[] {
  const scale = Math.max(1, from / to)
  const centre = ((at + 0.5) * from) / to - 0.5
  const taps: [number, number][] = []
  for (let place = Math.ceil(centre - 3 * scale); place <= centre + 3 * scale; place++)
    taps.push([Math.min(Math.max(place, 0), from - 1), lanczos3((place - centre) / scale)])
  const sum = taps.reduce((total, [, weight]) => total + weight, 0)
  return taps.map(([place, weight]) => [place, weight / sum])
}

/** The reference: numbers of 64 bits, without rounding on the way. Samples are whole numbers only at the end. */
function reference(picture: Pixels, to: Size, basis: Basis): readonly number[] {
  const { width, height, channels, data } = picture
  const opaque = opaqueOf(picture)
  const hasAlpha = channels % 2 === 0
  const isAlpha = (channel: number) => hasAlpha && channel === channels - 1
  const light = (sample: number) => (basis === 'light' ? sRgbCurve(sample / opaque) : sample / opaque)
  const codeOf = (value: number) => (basis === 'light' ? sRgbCoded(value) : value)
  const sampleAt = (x: number, y: number, channel: number) => data[(y * width + x) * channels + channel] as number
  const valueAt = (x: number, y: number, channel: number) => {
    const alpha = hasAlpha ? sampleAt(x, y, channels - 1) / opaque : 1
    return isAlpha(channel) ? alpha : light(sampleAt(x, y, channel)) * alpha
  }
  const results: number[] = []
  for (let y = 0; y < to.height; y++) {
    const rows = tapsOf(height, to.height, y)
    for (let x = 0; x < to.width; x++) {
      const columns = tapsOf(width, to.width, x)
      const sums = Array.from({ length: channels }, (_, channel) =>
        rows.reduce(
          (total, [row, down]) =>
            total + down * columns.reduce((sum, [column, across]) => sum + across * valueAt(column, row, channel), 0),
          0,
        ),
      )
      const alpha = hasAlpha ? (sums[channels - 1] as number) : 1
      for (const [channel, sum] of sums.entries()) {
        const value = isAlpha(channel) ? sum : alpha > 0 ? sum / alpha : 0
        const inRange = Math.min(1, Math.max(0, value))
        results.push((isAlpha(channel) ? inRange : codeOf(inRange)) * opaque)
      }
    }
  }
  return results
}

/** Of colours that are seen: with little alpha, a colour is a quotient of small numbers. */
function assertNear(actual: Pixels, expected: readonly number[], most: number, label: string): void {
  const { channels, data } = actual
  const hasAlpha = channels % 2 === 0
  for (const [at, value] of expected.entries()) {
    const alphaAt = at - (at % channels) + channels - 1
    const alpha = hasAlpha ? (expected[alphaAt] as number) / opaqueOf(actual) : 1
    const difference = Math.abs((data[at] as number) - value) * (at === alphaAt ? 1 : alpha)
    if (difference > most) assert.fail(`${label}: sample ${at} is ${data[at]}, not ${value}`)
  }
}

/** Half a step of rounding, and what 14 bits of light lose where it is dark: the curve is steepest there. */
const MOST_SHALLOW = 1.5
const MOST_DEEP = 2

test('every size from 1 to 40 is resampled to every kind of size as the reference is', () => {
  for (let side = 1; side <= 40; side++) {
    const from = { width: side, height: 41 - side }
    const to = { width: 1 + ((side * 7) % 23), height: 1 + ((side * 11) % 29) }
    for (const channels of [1, 2, 3, 4]) {
      const label = `${side}, ${channels} channels`
      const shallow = noise(from, channels, 8, side)
      assertNear(resampleAll(shallow, to), reference(shallow, to, 'light'), MOST_SHALLOW, label)
      const deep = noise(from, channels, 16, side)
      assertNear(resampleAll(deep, to), reference(deep, to, 'light'), MOST_DEEP, `${label}, deep`)
    }
  }
})

test('samples are averaged as they are, where that is asked for', () => {
  for (const depth of [8, 16] as const) {
    const picture = noise({ width: 37, height: 19 }, 3, depth, 5)
    const to = { width: 11, height: 30 }
    assertNear(resampleAll(picture, to, 'samples'), reference(picture, to, 'samples'), 0.75, String(depth))
  }
})

test('a picture of its own size is not changed', () => {
  for (const depth of [8, 16] as const) {
    const picture = noise({ width: 23, height: 9 }, 3, depth, 3)
    assert.deepEqual(resampleAll(picture, picture).data, picture.data)
  }
})

test('black and white lines become the grey that sends half the light', () => {
  const data = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (Math.floor(at / 3) % 2 ? 255 : 0))
  const lines = { width: 64, height: 64, channels: 3, data }
  const grey = resampleAll(lines, { width: 8, height: 8 })
  const middle = (4 * 8 + 4) * 3
  assert.equal(grey.data[middle], 188)
  assert.ok(Math.abs((resampleAll(lines, { width: 8, height: 8 }, 'samples').data[middle] as number) - 128) <= 1)
})

test('a window has the pixels that the whole result has there', () => {
  const picture = noise({ width: 50, height: 40 }, 4, 8, 9)
  const to = { width: 33, height: 61 }
  const all = resampleAll(picture, to)
  const window = { left: 7, top: 20, width: 12, height: 30 }
  const part = resampleAll(picture, to, 'light', window)
  for (let y = 0; y < window.height; y++) {
    const start = ((y + window.top) * to.width + window.left) * 4
    const row = part.data.subarray(y * window.width * 4, (y + 1) * window.width * 4)
    assert.deepEqual(row, all.data.subarray(start, start + window.width * 4))
  }
})

test('transparent pixels do not tint their neighbours', () => {
  const data = Uint8Array.from({ length: 32 * 32 * 4 }, (_, at) => {
    const isLeft = Math.floor(at / 4) % 32 < 17
    return [isLeft ? 200 : 0, 0, isLeft ? 0 : 255, isLeft ? 255 : 0][at % 4] as number
  })
  const small = resampleAll({ width: 32, height: 32, channels: 4, data }, { width: 5, height: 5 })
  for (let at = 0; at < small.data.length; at += 4) {
    if ((small.data[at + 3] as number) < 8) continue
    assert.equal(small.data[at + 2], 0)
    assert.ok(Math.abs((small.data[at] as number) - 200) <= 2, String(small.data.subarray(at, at + 4)))
  }
})

test('sides that are very long or of one pixel are resampled', () => {
  const line = noise({ width: 65_535, height: 1 }, 3, 8, 2)
  const to = { width: 3, height: 2 }
  assertNear(resampleAll(line, to), reference(line, to, 'light'), MOST_SHALLOW, 'a line')
  assert.equal(resampleAll(noise({ width: 1, height: 65_535 }, 1, 8, 2), { width: 4, height: 4 }).data.length, 16)
})

test('a raster that is shorter than its size says is refused', () => {
  const picture = { width: 10, height: 10, channels: 3, data: new Uint8Array(299) }
  assert.throws(() => resampleAll(picture, { width: 5, height: 5 }), /fewer samples than its size says/)
  const full = { ...picture, data: new Uint8Array(300) }
  assert.throws(
    () => resample(full, { width: 5, height: 5 }, whole({ width: 5, height: 5 }), 'light', new Uint8Array(74)),
    /fewer samples/,
  )
})
