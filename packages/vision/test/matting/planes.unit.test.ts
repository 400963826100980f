import assert from 'node:assert/strict'
import { test } from 'node:test'
import { insideSize, shrinkTo } from '@pixelmill/codecs/pixels/raster'
import { guidedModel } from '@pixelmill/kernels/boxes'
import { fitSurfaces, heightAt } from '../../src/matting/background.ts'
import { otsuThreshold } from '../../src/matting/cluttered-background.ts'
import { barrierOf } from '../../src/matting/flood.ts'
import { distanceTo, sureDistance } from '../../src/matting/plane-filters.ts'
import { regionsOf, withoutSpecks } from '../../src/matting/regions.ts'

/** Rows of digits as one number a pixel. */
const digits = (...rows: readonly string[]) => {
  const size = { width: rows[0]?.length ?? 0, height: rows.length }
  return { ...size, size, values: [...rows.join('')].map(Number) }
}
/** Numbers from a fixed seed (Park–Miller), 0–1. */
function numbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
}

test('the barrier is that of the least steep path to the edge, however long', () => {
  const { size, values } = digits('00000', '09990', '09090', '09190', '09390', '00000')
  const barrier = barrierOf(Float32Array.from(values), size, () => true)
  const at = (x: number, y: number) => barrier[y * 5 + x]
  // In through the gap of 3 at the bottom: over the 1, to the 0 at the end.
  assert.deepEqual([at(0, 0), at(2, 4), at(2, 3), at(2, 2), at(1, 2)], [0, 3, 3, 3, 9])
})

test('paths only start at edge pixels that are background', () => {
  const barrier = barrierOf(Float32Array.of(0, 7, 2), { width: 3, height: 1 }, (pixel) => pixel === 0)
  assert.deepEqual([...barrier], [0, 7, 7])
})

test('distances by two passes are at most 8 % above true ones, and never below', () => {
  const size = { width: 41, height: 33 }
  const mask = new Uint8Array(size.width * size.height)
  const seeds = [
    [5, 7],
    [35, 20],
  ] as const
  for (const [x, y] of seeds) mask[y * size.width + x] = 1
  for (const [pixel, distance] of distanceTo(mask, 1, size).entries()) {
    const x = pixel % size.width
    const y = Math.floor(pixel / size.width)
    const right = Math.min(...seeds.map(([sx, sy]) => Math.hypot(sx - x, sy - y)))
    assert.ok(distance >= right - 1e-3 && distance <= right * 1.083, `${distance} for ${right}`)
  }
})

test('the distance to the uncertain zone is positive inside, negative outside, and 0 in it', () => {
  const hard = sureDistance(Uint8Array.of(0, 0, 255, 255, 255), { width: 5, height: 1 })
  assert.deepEqual([...hard], [-1.5, -0.5, 0.5, 1.5, 2.5])
  const soft = sureDistance(Uint8Array.of(0, 5, 128, 250, 255), { width: 5, height: 1 })
  assert.deepEqual([...soft], [-1.5, -0.5, 0, 0.5, 1.5])
})

test("Otsu's threshold lies between two heaps, however unequal", () => {
  const random = numbers(3)
  const heaps = Float32Array.from({ length: 5_000 }, (_, at) => (at % 20 ? 0.1 + 0.1 * random() : 0.7 + 0.1 * random()))
  const threshold = otsuThreshold(heaps)
  assert.ok(threshold > 0.2 && threshold <= 0.7, `threshold ${threshold}`)
  // The definition: no other threshold has more variance between both sides.
  const between = (limit: number) => {
    const low = heaps.filter((value) => value < limit)
    const high = heaps.filter((value) => value >= limit)
    const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length
    return low.length && high.length ? low.length * high.length * (mean(low) - mean(high)) ** 2 : 0
  }
  for (let bin = 1; bin < 256; bin++) assert.ok(between(bin / 256) <= between(threshold) * 1.001, `${bin / 256} is better`)
})

test('a shrunk picture is the mean of its blocks, without alpha', () => {
  const { values } = digits('00112233', '00112233', '44556677', '44556679')
  const grey = { data: Uint8Array.from(values), width: 8, height: 4, channels: 1 }
  assert.deepEqual([...shrinkTo(grey, { width: 4, height: 2 }).data], [0, 1, 2, 3, 4, 5, 6, 8])
  const rgba = { data: Uint8Array.of(10, 20, 30, 0, 30, 40, 50, 255), width: 2, height: 1, channels: 4 }
  assert.deepEqual(shrinkTo(rgba, { width: 1, height: 1 }), { data: Uint8Array.of(20, 30, 40), width: 1, height: 1, channels: 3 })
})

test('every pixel counts once where the sides do not divide', () => {
  const random = numbers(7)
  const data = Uint8Array.from({ length: 101 * 67 }, () => 255 * random())
  const small = shrinkTo({ data, width: 101, height: 67, channels: 1 }, { width: 13, height: 9 })
  const mean = (values: Uint8Array) => values.reduce((sum, value) => sum + value, 0) / values.length
  assert.ok(Math.abs(mean(small.data) - mean(data)) < 1.5)
  assert.deepEqual(shrinkTo({ data, width: 101, height: 67, channels: 1 }, { width: 101, height: 67 }).data, data)
})

test('a size inside another keeps its ratio, and is never enlarged', () => {
  assert.deepEqual(insideSize({ width: 4_000, height: 3_000 }, 256), { width: 256, height: 192 })
  assert.deepEqual(insideSize({ width: 20, height: 10 }, 256), { width: 20, height: 10 })
  assert.deepEqual(insideSize({ width: 1, height: 3_000 }, 256), { width: 1, height: 256 })
})

test('the guided filter finds opacity that is linear in colour, and follows edges that the mask misses', () => {
  const size = { width: 24, height: 16 }
  const random = numbers(11)
  const guide = [0, 1, 2].map(() => Float32Array.from({ length: 24 * 16 }, random)) as unknown as Parameters<
    typeof guidedModel
  >[0]
  const at = (plane: Float32Array | undefined, pixel: number) => plane?.[pixel] ?? 0
  const applyModel = (model: ReturnType<typeof guidedModel>, colours: typeof guide, pixel: number) =>
    at(model.red, pixel) * at(colours[0], pixel) +
    at(model.green, pixel) * at(colours[1], pixel) +
    at(model.blue, pixel) * at(colours[2], pixel) +
    at(model.constant, pixel)
  const linear = guide[0].map((red, pixel) => 0.2 + 0.5 * red - 0.1 * at(guide[1], pixel) + 0.3 * at(guide[2], pixel))
  const guidance = { radius: 4, epsilon: 1e-4 }
  const exact = guidedModel(guide, linear, size, guidance)
  for (let pixel = 0; pixel < linear.length; pixel++)
    assert.ok(Math.abs(applyModel(exact, guide, pixel) - at(linear, pixel)) < 0.01, `pixel ${pixel}`)
  // The picture's edge is at column 12, the mask's at 10.
  const edge = Float32Array.from({ length: 24 * 16 }, (_, pixel) => (pixel % 24 < 12 ? 0.9 : 0.1))
  const mask = Float32Array.from({ length: 24 * 16 }, (_, pixel) => (pixel % 24 < 10 ? 1 : 0))
  const model = guidedModel([edge, edge, edge], mask, size, guidance)
  const opacity = (column: number) => applyModel(model, [edge, edge, edge], 8 * 24 + column)
  assert.ok(opacity(11) - opacity(12) > 0.4, `${opacity(11)} and ${opacity(12)}`)
  assert.ok(Math.abs(opacity(10) - opacity(11)) < 0.2, `${opacity(10)} and ${opacity(11)}`)
})

test('a quadratic surface is recovered', () => {
  const random = numbers(13)
  const xs = Float64Array.from({ length: 200 }, () => 2 * random() - 1)
  const ys = Float64Array.from({ length: 200 }, () => 2 * random() - 1)
  const coefficients = Float64Array.of(50, 10, -7, 3, 2, -4)
  const plane = Float32Array.from(xs, (x, at) => heightAt(coefficients, x, ys[at] ?? 0))
  const places = { pixels: Array.from(xs.keys()), xs, ys, weights: new Float64Array(200).fill(1) }
  const [surface = coefficients.map(() => 0)] = fitSurfaces([plane], places)
  for (const [term, value] of coefficients.entries()) assert.ok(Math.abs((surface[term] ?? 0) - value) < 1e-3, `term ${term}`)
  assert.ok(Math.abs(heightAt(coefficients, 0.5, -1) - (50 + 5 + 7 + 0.75 - 1 - 4)) < 1e-12)
})

test('regions are 4-connected, and specks and pinholes are removed', () => {
  const { size, values } = digits('110000', '110001', '000010', '111110', '101110', '111110')
  const mask = Uint8Array.from(values)
  const { areas, atEdge } = regionsOf(mask, size, 1)
  assert.deepEqual(
    [areas.slice(1), atEdge.slice(1)],
    [
      [4, 1, 15],
      [true, true, true],
    ],
  )
  assert.deepEqual(
    [...withoutSpecks(mask, size, 0.3, 0.05)],
    digits('000000', '000000', '000010', '111110', '111110', '111110').values,
  )
})
