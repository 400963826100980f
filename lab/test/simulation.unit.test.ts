import assert from 'node:assert/strict'
import { test } from 'node:test'
import { simulateBatches } from '../bench/simulation/batches.ts'
import { startClock } from '../bench/simulation/clock.ts'
import { openDraws } from '../bench/simulation/draws.ts'
import { openGroupCommit } from '../bench/simulation/group-commit.ts'
import { openLatencies } from '../bench/simulation/latencies.ts'
import { simulate } from '../bench/simulation/load.ts'
import { kinds } from '../bench/simulation/measured-costs.ts'
import { openPlaces } from '../bench/simulation/places.ts'
import { benchMachine } from '../bench/simulation/plans.ts'
import { openSharedCores } from '../bench/simulation/shared-cores.ts'

/** The simulation holds what is known of queues without it. Each test has its seed, and the same figures in every run. */

const COMERS = 100_000
const MEAN_SERVICE = 1

/** Mean seconds that comers by Poisson stay, whose service is begun by `serve`. */
function meanStay(perSecond: number, serve: (seconds: number, onEnd: () => void) => void, clock = startClock()): number {
  const draws = openDraws(7)
  const stays = openLatencies()
  let left = COMERS
  const come = () => {
    const came = clock.now
    serve(draws.exponential(MEAN_SERVICE), () => stays.add(clock.now - came))
    if (--left > 0) clock.after(draws.exponential(1 / perSecond), come)
  }
  come()
  clock.run(Number.POSITIVE_INFINITY)
  assert.equal(stays.count, COMERS)
  return stays.mean
}

/** The formula of Erlang: the mean stay with so many servers, each at `load`. */
function erlang(servers: number, load: number): number {
  const offeredLoad = servers * load
  let term = 1
  let sum = 1
  for (let nth = 1; nth < servers; nth++) {
    term *= offeredLoad / nth
    sum += term
  }
  const last = (term * offeredLoad) / servers / (1 - load)
  return MEAN_SERVICE + (last / (sum + last)) * (MEAN_SERVICE / (servers * (1 - load)))
}

const near = (value: number, expected: number, share: number) =>
  assert.ok(Math.abs(value / expected - 1) <= share, `${value} instead of ${expected}`)

for (const [servers, load] of [
  [1, 0.5],
  [1, 0.8],
  [4, 0.8],
  [16, 0.9],
] as const) {
  test(`${servers} places at a load of ${load}: waiting is as Erlang's formula has it`, () => {
    const clock = startClock()
    const places = openPlaces(clock, servers)
    const serve = (seconds: number, onEnd: () => void) =>
      places.take(() =>
        clock.after(seconds, () => {
          places.leave()
          onEnd()
        }),
      )
    near(meanStay(servers * load, serve, clock), erlang(servers, load), 0.05)
    near(places.utilisation(), load, 0.02)
  })
}

for (const load of [0.5, 0.8]) {
  test(`one shared processor at a load of ${load}: the mean stay is that of a queue, 1 / (1 - load)`, () => {
    const clock = startClock()
    const cores = openSharedCores(clock, 1)
    near(
      meanStay(load, (seconds, onEnd) => cores.work(seconds, onEnd), clock),
      MEAN_SERVICE / (1 - load),
      0.05,
    )
    near(cores.utilisation(), load, 0.02)
  })
}

test('shared processors: nobody has more than one, and those that are too many share equally', () => {
  const clock = startClock()
  const cores = openSharedCores(clock, 2)
  const ends: number[] = []
  for (const seconds of [1, 2, 3]) cores.work(seconds, () => ends.push(clock.now))
  clock.run(10)
  // Two thirds of a processor each until 1.5 s, then one each: what is left are 1 and 2 seconds.
  assert.deepEqual(
    ends.map((end) => Number(end.toFixed(6))),
    [1.5, 2.5, 3.5],
  )
})

test('a flush takes all that waits along, and what comes meanwhile goes with the next', () => {
  const clock = startClock()
  const disk = openGroupCommit(clock, 1)
  const ends: number[] = []
  const commit = () => disk.commit(() => ends.push(clock.now))
  commit()
  for (const at of [0.1, 0.2, 0.9]) clock.after(at, commit)
  clock.run(10)
  assert.deepEqual(ends, [1, 2, 2, 2])
})

test('what happens at one moment happens in the order in which it was asked for', () => {
  const clock = startClock()
  const order: number[] = []
  for (let nth = 0; nth < 3_000; nth++) clock.after(nth % 3, () => order.push(nth))
  clock.run(2)
  const expected = [0, 1, 2].flatMap((at) => Array.from({ length: 1_000 }, (_, n) => 3 * n + at))
  assert.deepEqual(order, expected)
})

test('percentiles are within 2 % of those of what was added', () => {
  const latencies = openLatencies()
  for (let n = 1; n <= 10_000; n++) latencies.add(n / 1_000)
  for (const share of [0.5, 0.95, 0.99]) near(latencies.percentile(share), 10 * share, 0.02)
})

const load = { plan: benchMachine, kinds: [{ ...kinds.webp, share: 1 }], warmSeconds: 2, seconds: 20 }
const run = (seed: number, arrivals: Parameters<typeof simulate>[2]['arrivals']) =>
  simulate(startClock(), openDraws(seed), { ...load, arrivals })

test('one seed gives the same figures, another gives others', () => {
  const figures = (seed: number) => {
    const { perSecond, latencies } = run(seed, { clients: 8 })
    return [perSecond, latencies.mean]
  }
  assert.deepEqual(figures(1), figures(1))
  assert.notDeepEqual(figures(1), figures(2))
})

test('nothing is lost between coming and leaving: what is asked for is answered, up to what the processors can do', () => {
  const half = run(3, { perSecond: 25, together: 1 })
  near(half.perSecond, 25, 0.1)
  assert.equal(half.refused, 0)
  const double = run(3, { perSecond: 120, together: 1 })
  assert.ok(double.refused > 0)
  assert.ok(double.utilisations.processors > 0.99)
  // What PostgreSQL, the client and refusals take is not the renderers'.
  assert.ok(double.perSecond < 2 / kinds.webp.render.seconds)
})

test('batches: one worker takes as long as its renderers need; a small batch does not wait for a large one', () => {
  const [seconds = Number.NaN] = simulateBatches(startClock(), openDraws(1), {
    workers: 1,
    renderers: 2,
    databaseCores: 4,
    batches: [{ images: 200, at: 0 }],
  }).seconds
  near(seconds, (200 * (0.106 + 0.0059)) / 2, 0.1)
  const [large = 0, small = 0] = simulateBatches(startClock(), openDraws(1), {
    workers: 2,
    renderers: 4,
    databaseCores: 4,
    batches: [
      { images: 2_000, at: 0 },
      { images: 3, at: 5 },
    ],
  }).seconds
  assert.ok(small < 2 && large > 20, `${small} and ${large}`)
})
