import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PlaneOf, planeSimilarities, type Samples } from '../src/ssim.ts'
import { randomNumbers } from './support/random-numbers.ts'

const next = randomNumbers(14)

/** The reference: Wang et al. 2004 on blocks of 8 × 8, in numbers of 64 bits. */
function reference(one: Samples, other: Samples, plane: PlaneOf): number {
  const { width, height } = one
  const sampleOf = ({ data, channels }: Samples, x: number, y: number) => {
    const pixel = data.subarray((y * width + x) * channels)
    if ('channel' in plane) return pixel[plane.channel] as number
    const sum = plane.factors.reduce((total, factor, channel) => total + factor * (pixel[channel] as number), 0)
    return sum + 128 - plane.middle
  }
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const blocks: number[] = []
  for (let top = 0; top < height; top += 8)
    for (let left = 0; left < width; left += 8) {
      const a: number[] = []
      const b: number[] = []
      for (let y = top; y < Math.min(top + 8, height); y++)
        for (let x = left; x < Math.min(left + 8, width); x++) {
          a.push(sampleOf(one, x, y))
          b.push(sampleOf(other, x, y))
        }
      const meanA = mean(a)
      const meanB = mean(b)
      const covariance = mean(a.map((value, at) => (value - meanA) * ((b[at] as number) - meanB)))
      const variances = mean(a.map((value) => (value - meanA) ** 2)) + mean(b.map((value) => (value - meanB) ** 2))
      blocks.push(
        ((2 * meanA * meanB + 6.5025) * (2 * covariance + 58.5225)) /
          ((meanA ** 2 + meanB ** 2 + 6.5025) * (variances + 58.5225)),
      )
    }
  return mean(blocks)
}

const planesOf = (channels: number): readonly PlaneOf[] => [
  ...Array.from({ length: channels }, (_, channel) => ({ channel })),
  ...(channels < 3
    ? []
    : ([
        { factors: [0.299, 0.587, 0.114], middle: 128 },
        { factors: [-0.1687, -0.3313, 0.5], middle: 0 },
      ] as const)),
]

test('the similarity of planes is that of their blocks', () => {
  for (let width = 1; width <= 40; width++) {
    const height = 1 + ((width * 7) % 29)
    for (const channels of [1, 2, 3, 4]) {
      const data = Uint8Array.from({ length: width * height * channels }, () =>
        next() < 0.3 ? 255 * Math.round(next()) : 256 * next(),
      )
      const other = data.map((value) => (next() < 0.5 ? value : 256 * next()))
      const [one, two] = [data, other].map((samples) => ({ width, height, channels, data: samples })) as [Samples, Samples]
      const planes = planesOf(channels)
      for (const [index, actual] of planeSimilarities(one, two, planes).entries()) {
        const expected = reference(one, two, planes[index] as PlaneOf)
        assert.ok(Math.abs(actual - expected) < 1e-5, `${width} × ${height}, ${channels} channels: ${actual}, not ${expected}`)
      }
    }
  }
})

test('equal pictures have a similarity of 1, black, white or of noise', () => {
  for (const fill of [() => 0, () => 255, () => 256 * next()]) {
    const data = Uint8Array.from({ length: 33 * 17 * 3 }, fill)
    const one = { width: 33, height: 17, channels: 3, data }
    for (const similarity of planeSimilarities(one, { ...one, data: data.slice() }, planesOf(3)))
      assert.ok(Math.abs(similarity - 1) < 1e-12, `${similarity}`)
  }
})

test('a raster that is shorter than its size says is refused', () => {
  const one = { width: 9, height: 9, channels: 1, data: new Uint8Array(81) }
  assert.throws(() => planeSimilarities(one, { ...one, data: new Uint8Array(80) }, [{ channel: 0 }]), /fewer samples/)
})
