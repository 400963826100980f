import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Colours, type Component, logLikelihoods } from '../src/mixture.ts'
import { randomNumbers } from './support/random-numbers.ts'

test('the likelihood of a colour is that of the likeliest Gaussian', () => {
  const next = randomNumbers(8)
  for (let count = 1; count <= 40; count++) {
    const colours = [0, 1, 2].map(() => Float32Array.from({ length: count }, () => 100 * next())) as unknown as Colours
    const mixture = Array.from({ length: 1 + (count % 5) }, (): Component => {
      const mean = [100 * next(), 100 * next(), 100 * next()] as const
      return { mean, precision: [0.2 + next(), 0.1, -0.05, 0.2 + next(), 0.1, 0.2 + next()], logHeight: -3 * next() }
    })
    for (const [at, likelihood] of logLikelihoods(mixture, colours).entries()) {
      const expected = mixture.map(({ mean, precision: [ll, la, lb, aa, ab, bb], logHeight }) => {
        const [x, y, z] = mean.map((middle, plane) => (colours[plane]?.[at] as number) - middle) as [number, number, number]
        return logHeight - (ll * x * x + aa * y * y + bb * z * z + 2 * (la * x * y + lb * x * z + ab * y * z)) / 2
      })
      const most = Math.max(...expected)
      assert.ok(Math.abs(likelihood - most) < 1e-5 * Math.abs(most) + 1e-4, `${likelihood}, not ${most}`)
    }
  }
})
