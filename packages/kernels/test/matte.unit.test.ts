import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyMaps, type MatteMaps, positionIn, surveyPicture } from '../src/matte.ts'
import { randomNumbers } from './support/random-numbers.ts'

const next = randomNumbers(12)
const RGBA = 4

const noise = (width: number, height: number) => ({
  width,
  height,
  data: Uint8Array.from({ length: width * height * RGBA }, () => (next() < 0.3 ? 255 : 256 * next())),
})

test('a survey has the means of boxes, and counts what is not opaque', () => {
  for (let width = 1; width <= 40; width++) {
    const height = 1 + ((width * 3) % 17)
    const picture = noise(width, height)
    const size = { width: Math.ceil(width / 3), height: Math.ceil(height / 2) }
    const { small, translucent } = surveyPicture(picture, size, 250)
    assert.equal(translucent, picture.data.filter((value, at) => at % RGBA === 3 && value < 250).length)
    const edge = (at: number, length: number, count: number) => Math.ceil((at * length) / count)
    for (let y = 0; y < size.height; y++)
      for (let x = 0; x < size.width; x++)
        for (let channel = 0; channel < 3; channel++) {
          const values: number[] = []
          for (let row = edge(y, height, size.height); row < edge(y + 1, height, size.height); row++)
            for (let column = edge(x, width, size.width); column < edge(x + 1, width, size.width); column++)
              values.push(picture.data[(row * width + column) * RGBA + channel] as number)
          const mean = Math.round(values.reduce((sum, value) => sum + value, 0) / values.length)
          assert.equal(small.data[(y * size.width + x) * 3 + channel], mean, `${width} × ${height}: ${x}, ${y}`)
        }
  }
})

test('sums of very wide boxes do not overflow', () => {
  const data = new Uint8Array(3 * 2_001 * RGBA).fill(255)
  const { small, translucent } = surveyPicture({ width: 2_001, height: 3, data }, { width: 1, height: 1 }, 250)
  assert.deepEqual([...small.data, translucent], [255, 255, 255, 0])
})

const unit = (value: number): number => Math.max(0, Math.min(1, value))

/** The reference: one pixel, in numbers of 64 bits. @param here the maps' numbers there */
function mattePixel(pixel: readonly number[], here: readonly number[]): readonly number[] {
  const [distance = 0, mr = 0, mg = 0, mb = 0, constant = 0] = here
  const side = (from: number) => {
    const share = here[from + 3] as number
    const colour = [0, 1, 2].map((channel) => (here[from + channel] as number) / share)
    const variance = (here[from + 4] as number) / share - colour.reduce((sum, value) => sum + value ** 2, 0)
    return { share, colour, variance: Math.max(0, variance) }
  }
  const subject = side(5)
  const background = side(10)
  const [r = 0, g = 0, b = 0, before = 0] = pixel
  const stretchedOpacity = unit((mr * r + mg * g + mb * b + constant - 0.08) / 0.84)
  const ways = subject.colour.map((value, channel) => value - (background.colour[channel] as number))
  const squares = ways.reduce((sum, way) => sum + way ** 2, 0)
  const along = ways.reduce(
    (sum, way, channel) => sum + way * ((pixel[channel] as number) - (background.colour[channel] as number)),
    0,
  )
  const trust = squares / (squares + 300 + 20 * (subject.variance + background.variance))
  const isKnown = subject.share > 1e-3 && background.share > 1e-3 && squares > 0
  const free = isKnown ? trust * unit(along / squares) + (1 - trust) * stretchedOpacity : stretchedOpacity
  const depth = unit((Math.abs(distance) - 2) / 4)
  const opacity = distance > 0 ? Math.max(free, depth) : Math.min(free, 1 - depth)
  const alpha = Math.round(opacity * before)
  if (alpha === 0) return [0, 0, 0, 0]
  const colours = [r, g, b].map((value, channel) => {
    if (opacity < 0.3 && subject.share > 1e-3) return Math.floor(subject.colour[channel] as number)
    if (opacity === 1 || background.share <= 1e-3) return value
    return Math.max(0, Math.min(255, Math.round((value - (1 - opacity) * (background.colour[channel] as number)) / opacity)))
  })
  return [...colours, alpha]
}

/** Numbers as a picture gives them: weights, means times weights, and squares that are consistent with these. */
function randomMaps(width: number, height: number): MatteMaps {
  const planes = Array.from({ length: 15 }, () => new Float32Array(width * height))
  for (let pixel = 0; pixel < width * height; pixel++) {
    const side = () => {
      const share = next() < 0.2 ? 0 : next()
      const colour = [255 * next(), 255 * next(), 255 * next()]
      const squares = colour.reduce((sum, value) => sum + value ** 2, 0) + 400 * next()
      return [...colour.map((value) => value * share), share, squares * share]
    }
    const model = [0.003 * next(), 0.003 * next(), -0.003 * next(), next()]
    for (const [plane, value] of [16 * next() - 8, ...model, ...side(), ...side()].entries())
      (planes[plane] as Float32Array)[pixel] = value
  }
  return { width, height, planes }
}

test('opacity and colours of each pixel near the outline are those of the reference', () => {
  let differenceCount = 0
  let outlineCount = 0
  for (let width = 1; width <= 40; width++) {
    const height = 1 + ((width * 7) % 23)
    const picture = noise(width, height)
    const maps = randomMaps(Math.ceil(width / (1 + (width % 7))), Math.ceil(height / 2))
    const result = { ...picture, data: picture.data.slice() }
    applyMaps(result, maps)
    for (let pixel = 0; pixel < width * height; pixel++) {
      const column = positionIn(pixel % width, width, maps.width)
      const row = positionIn(Math.floor(pixel / width), height, maps.height)
      const left = Math.floor(Math.fround(column))
      const upper = Math.floor(row)
      const right = Math.min(left + 1, maps.width - 1)
      const lower = Math.min(upper + 1, maps.height - 1)
      const along = (plane: Float32Array, x: number) => {
        const above = plane[upper * maps.width + x] as number
        return above + ((plane[lower * maps.width + x] as number) - above) * (row - upper)
      }
      const distances = [left, right].map((x) => along(maps.planes[0] as Float32Array, x))
      const source = [...picture.data.subarray(pixel * RGBA, (pixel + 1) * RGBA)]
      const actual = [...result.data.subarray(pixel * RGBA, (pixel + 1) * RGBA)]
      if (Math.min(...distances) >= 6) assert.deepEqual(actual, source)
      else if (Math.max(...distances) <= -6) assert.deepEqual(actual, [0, 0, 0, 0])
      else {
        const here = maps.planes.map((plane) => along(plane, left) + (along(plane, right) - along(plane, left)) * (column - left))
        outlineCount++
        if (mattePixel(source, here).some((value, channel) => Math.abs(value - (actual[channel] as number)) > 1))
          differenceCount++
      }
    }
  }
  // Beside a threshold, 32 bits may decide otherwise than 64.
  assert.ok(outlineCount > 5_000 && differenceCount < outlineCount / 500, `${differenceCount} of ${outlineCount}`)
})

test('a raster that is shorter than its size says is refused', () => {
  const picture = { width: 4, height: 4, data: new Uint8Array(60) }
  assert.throws(() => surveyPicture(picture, { width: 1, height: 1 }, 250), /fewer samples/)
  assert.throws(() => applyMaps(picture, randomMaps(2, 2)), /fewer samples/)
})
