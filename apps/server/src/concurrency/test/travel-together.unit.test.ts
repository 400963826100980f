import assert from 'node:assert/strict'
import { test } from 'node:test'
import { travelTogether } from '../travel-together.ts'

/** Departures end when the test says so. Items that are negative fail alone. */
function station(error?: Error) {
  const departures: { readonly items: readonly number[]; readonly arrive: () => void }[] = []
  const leave = async (items: readonly number[]) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    departures.push({ items, arrive: resolve })
    await promise
    return items.map((item) => item * 10)
  }
  const travel = travelTogether<number, number>({
    async alone(item) {
      const [result = 0] = await leave([item])
      if (item < 0) throw new RangeError('too small')
      return result
    },
    async together(items) {
      const results = await leave(items)
      if (error) throw error
      return results
    },
    hasChangedNothing: (cause) => cause instanceof SyntaxError,
  })
  async function arrive(nth: number): Promise<void> {
    while (departures.length <= nth) await new Promise(setImmediate)
    departures[nth]?.arrive()
  }
  return { travel, arrive, departures: () => departures.map(({ items }) => items) }
}

test('the first runs at once; those that arrive meanwhile go together, each with its own result', async () => {
  const { travel, arrive, departures } = station()
  const first = travel(1)
  const others = [travel(2), travel(3)]
  assert.deepEqual(departures(), [[1]])
  await arrive(0)
  assert.equal(await first, 10)
  await arrive(1)
  assert.deepEqual(await Promise.all(others), [20, 30])
  assert.deepEqual(departures(), [[1], [2, 3]])
  const last = travel(4)
  await arrive(2)
  assert.equal(await last, 40)
})

test('one that takes long does not delay the others', async () => {
  const { travel, arrive } = station()
  const slow = travel(1)
  const second = travel(2)
  // It leaves after a while, though the first has not arrived.
  await arrive(1)
  assert.equal(await second, 20)
  await arrive(0)
  assert.equal(await slow, 10)
})

test('a group that has changed nothing is tried one by one, and only what fails alone fails', async () => {
  const { travel, arrive } = station(new SyntaxError('refused'))
  const first = travel(1)
  const outcomes = Promise.allSettled([travel(2), travel(-3)])
  await arrive(0)
  await first
  await arrive(1)
  await arrive(2)
  await arrive(3)
  assert.deepEqual(
    (await outcomes).map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
    [20, 'too small'],
  )
})

test('a group that may have changed something fails as a whole', async () => {
  const { travel, arrive, departures } = station(new Error('the connection is gone'))
  const first = travel(1)
  const outcomes = Promise.allSettled([travel(2), travel(3)])
  await arrive(0)
  await first
  await arrive(1)
  assert.deepEqual(
    (await outcomes).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(departures().length, 2)
})

test('of hundreds a hundred go at once', async () => {
  const { travel, arrive, departures } = station()
  const all = [travel(0), ...Array.from({ length: 150 }, (_, nth) => travel(nth))]
  await arrive(0)
  await all[0]
  await arrive(1)
  await all[1]
  await arrive(2)
  await Promise.all(all)
  assert.deepEqual(
    departures().map(({ length }) => length),
    [1, 100, 50],
  )
})
