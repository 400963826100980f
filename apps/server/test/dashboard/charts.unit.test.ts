import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decimalsOf, shownPrice, shownUnitPrice } from '@pixelmill/dashboard/src/shown/money'
import { daysBetween } from '@pixelmill/dashboard/src/shown/utc-days'
import { labelEvery, ticksFor } from '@pixelmill/dashboard/src/ui/chart-scale'
import { decimalsOf as decimalsAtStripe } from '../../src/billing/packages.ts'

for (const [month, days] of [
  ['2026-02', 28],
  ['2028-02', 29],
  ['2026-11', 30],
  ['2026-12', 31],
] as const) {
  test(`${month} has ${days} days, each once`, () => {
    const [year = 0, number = 0] = month.split('-').map(Number)
    const all = daysBetween(`${month}-01T00:00:00.000Z`, new Date(Date.UTC(year, number)).toISOString())
    assert.deepEqual([all.length, all[0], all.at(-1)], [days, `${month}-01`, `${month}-${days}`])
  })
}

test('the lines of a chart are round and whole, reach the highest bar, and are few', () => {
  assert.deepEqual(ticksFor(0), [0, 1])
  assert.deepEqual(ticksFor(1), [0, 1])
  assert.deepEqual(ticksFor(7), [0, 2, 4, 6, 8])
  assert.deepEqual(ticksFor(1_000_000), [0, 500_000, 1_000_000])
  for (let most = 1; most < 1e9; most = Math.ceil(most * 1.07)) {
    const ticks = ticksFor(most)
    assert.ok((ticks.at(-1) ?? 0) >= most && ticks.length <= 5 && ticks.every(Number.isInteger), `${most}: ${ticks}`)
  }
})

test('labels below a chart are as many as have room', () => {
  assert.equal(labelEvery(31, 900, 26), 1)
  assert.equal(labelEvery(31, 500, 26), 2)
  assert.equal(labelEvery(31, 300, 26), 5)
})

test('prices have the decimals that Stripe counts', () => {
  for (const currency of Intl.supportedValuesOf('currency').map((each) => each.toLowerCase()))
    if (decimalsAtStripe(currency) !== undefined) assert.equal(decimalsOf(currency), decimalsAtStripe(currency), currency)
  const prices = [
    [900, 'usd'],
    [500, 'jpy'],
    [12_340, 'kwd'],
    [100_000, 'isk'],
  ] as const
  assert.deepEqual(
    prices.map(([amount, currency]) => shownPrice({ amount, currency }).replace(/\s/g, ' ')),
    ['$9.00', '¥500', 'KWD 12.340', 'ISK 1,000.00'],
  )
  assert.equal(shownUnitPrice({ amount: 900, currency: 'usd' }, 1_000), '$0.009')
  assert.equal(shownUnitPrice({ amount: 49_900, currency: 'usd' }, 100_000), '$0.005')
})
