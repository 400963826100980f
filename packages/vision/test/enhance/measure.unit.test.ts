import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addEdges, addSteepness, type Edges, sharpnessOf, softnessOf, steepnessOf } from '../../src/enhance/edges.ts'
import { gaussian } from '../../src/enhance/gaussian.ts'
import { measurePicture } from '../../src/enhance/measure.ts'
import { blocksOf, noiseOf } from '../../src/enhance/noise.ts'
import type { Plane } from '../../src/enhance/planes.ts'
import { bitmap, draw, normal } from './pictures.ts'

const SIDE = 256
const noiseIn = (plane: Plane) => noiseOf(blocksOf(plane, plane, SIDE, SIDE)).deviation
/** Discs, whose edges have every direction. */
const discs = draw(SIDE, SIDE, (x, y) => (Math.hypot((x % 64) - 32, (y % 64) - 32) < 24 ? 170 : 80))

function soften(plane: Plane) {
  const edges: Edges = [[], [], [], []]
  addEdges(edges, plane, SIDE, SIDE)
  return softnessOf(edges)
}

test('noise is measured within a tenth, whatever the picture under it', () => {
  for (const sigma of [2, 5, 10, 20]) {
    const random = normal(sigma)
    const deviation = noiseIn(discs.map((value) => value + sigma * random()))
    assert.ok(Math.abs(deviation / sigma - 1) < 0.1, `${sigma}: ${deviation}`)
  }
})

test('texture is not taken for noise if some blocks are smooth', () => {
  const half = draw(SIDE, SIDE, (x, y) => (x < 128 ? 100 : 100 + 60 * ((x * y) % 2)))
  assert.equal(noiseIn(half), 0)
  assert.equal(noiseIn(new Float32Array(SIDE * SIDE).fill(128)), 0)
})

test('white noise is as strong at half the size, texture is stronger', () => {
  const random = normal(3)
  const white = draw(SIDE, SIDE, () => 128 + 10 * random())
  const { coarseness } = noiseOf(blocksOf(white, white, SIDE, SIDE))
  assert.ok(Math.abs(coarseness - 1) < 0.15, `${coarseness}`)
  const leaves = gaussian(white, SIDE, SIDE, 0.6)
  const texture = noiseOf(blocksOf(leaves, leaves, SIDE, SIDE))
  assert.ok(texture.deviation > 2 && texture.coarseness > 1.6, JSON.stringify(texture))
})

test('transparent pixels and the border to them are not measured', () => {
  const random = normal(12)
  const inside = (x: number, y: number) => Math.hypot(x - 128, y - 128) < 110
  const cut = bitmap(SIDE, SIDE, 4, (x, y, channel) => (inside(x, y) ? (channel === 3 ? 255 : 128 + 10 * random()) : 0))
  const { noise, softness } = measurePicture(cut, false)
  assert.ok(Math.abs((noise[0]?.deviation ?? 0) - 10) < 1.5, `${noise[0]?.deviation}`)
  assert.equal(softness.sigma, 0)
  const invisible = bitmap(SIDE, SIDE, 4, (_x, _y, channel) => (channel === 3 ? 0 : 128 + 10 * random()))
  assert.equal(measurePicture(invisible, false).noise[0]?.deviation, 0)
})

test('an icon has too few blocks to measure', () => {
  const random = normal(6)
  const icon = draw(100, 100, () => 128 + 20 * random())
  assert.equal(noiseOf(blocksOf(icon, icon, 100, 100)).deviation, 0)
})

test('noise is measured where blocks are neither black nor white', () => {
  const random = normal(4)
  const dark = draw(SIDE, SIDE, (_, y) => Math.max(0, (y < 128 ? 0 : 120) + 10 * random()))
  assert.ok(Math.abs(noiseIn(dark) - 10) < 1)
})

test('the softness of edges is their blur', () => {
  const softnesses = [0.8, 1.2, 2].map((sigma) => soften(gaussian(discs, SIDE, SIDE, sigma)))
  for (const [index, sigma] of [0.8, 1.2, 2].entries()) {
    const actual = softnesses[index]?.sigma ?? 0
    // The factor for what photographs have beside it is in it.
    assert.ok(actual > sigma && actual < 1.7 * sigma, `${sigma}: ${actual}`)
    assert.ok((softnesses[index]?.anisotropy ?? 0) < 1.3)
  }
  const sharpness = [soften(discs), ...softnesses].map(sharpnessOf)
  assert.deepEqual(
    sharpness.toSorted((a, b) => b - a),
    sharpness,
  )
  assert.ok(sharpness.every((value) => value > 0 && value < 1))
})

test('blur in one direction is distinguished from defocus', () => {
  for (const [dx, dy] of [
    [1, 0],
    [0, 1],
    [1, 1],
  ] as const) {
    const shaken = draw(SIDE, SIDE, (x, y) => {
      const path = [-3, -2, -1, 0, 1, 2, 3].map(
        (t) => discs[((y + t * dy + SIDE) % SIDE) * SIDE + ((x + t * dx + SIDE) % SIDE)] ?? 0,
      )
      return path.reduce((sum, value) => sum + value, 0) / path.length
    })
    assert.ok(soften(shaken).anisotropy > 1.6, `${dx}, ${dy}: ${soften(shaken).anisotropy}`)
  }
})

test('perfect steps are distinguished from blurred ones', () => {
  const steepness = (plane: Plane) => {
    const shares: number[] = []
    addSteepness(shares, plane, SIDE, SIDE)
    return steepnessOf(shares)
  }
  assert.ok(steepness(discs) > 0.9, `${steepness(discs)}`)
  for (const [sigma, share] of [
    [0.8, 0.47],
    [1.2, 0.32],
    [2, 0.2],
  ] as const) {
    const actual = steepness(gaussian(discs, SIDE, SIDE, sigma))
    assert.ok(Math.abs(actual - share) < 0.1, `${sigma}: ${actual}`)
  }
  assert.equal(steepness(new Float32Array(SIDE * SIDE).fill(128)), 0)
})

test('without edges there is no softness, and no sharpness', () => {
  const flat = soften(new Float32Array(SIDE * SIDE).fill(9))
  assert.deepEqual(flat, { sigma: 0, anisotropy: 1 })
  assert.equal(sharpnessOf(flat), 0)
})

test('a sample of a large picture gives the measurements of the whole', () => {
  const random = normal(8)
  const large = bitmap(1_500, 1_400, 3, (x, y) => (Math.hypot((x % 64) - 32, (y % 64) - 32) < 24 ? 170 : 80) + 6 * random())
  const { noise, softness } = measurePicture(large, false)
  assert.equal(noise.length, 3)
  for (const { deviation } of noise) assert.ok(Math.abs(deviation - 6) < 0.6, `${deviation}`)
  assert.ok(softness.sigma > 0 && softness.sigma < 0.8)
  assert.equal(measurePicture(large, true).noise.length, 1)
})

test('above 24 megapixels all parts are sampled, not only a band in the middle', () => {
  const width = 10_000
  const height = 2_500
  const random = normal(5)
  const noise = Int8Array.from({ length: 1 << 16 }, () => 10 * random())
  const data = new Uint8Array(width * height * 3).fill(120)
  for (let y = 0; y < height; y++) {
    if (Math.abs(y - height / 2) < 40) continue
    // Rows begin at different places of the noise, so that none is like another.
    const start = (y * 7_919) & 0xffff
    for (let i = 0, at = y * width * 3; i < width * 3; i++) data[at + i] = 120 + (noise[(start + i) & 0xffff] ?? 0)
  }
  const [light] = measurePicture({ width, height, channels: 3, data }, false).noise
  assert.ok(Math.abs((light?.deviation ?? 0) - 10) < 1.5, `${light?.deviation}`)
})
