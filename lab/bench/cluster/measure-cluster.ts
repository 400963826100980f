import type { Bench, Measurement } from '../bench.ts'
import { type Conversion, uploads } from '../conversions/conversion.ts'
import { conversions } from '../conversions/index.ts'
import { quietRounds, type Watched } from '../measure/foreign-share.ts'
import { median } from '../measure/median.ts'
import { type PerRole, roles, sumOf } from '../measure/tree-usage.ts'
import { ms, percent, ratio } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { startPostgres } from '../server/start-postgres.ts'
import { type Deployment, oneProcess, twoProcesses } from './cluster.ts'

interface Round {
  readonly one: PerRole
  readonly two: PerRole
}

interface Compared {
  readonly conversion: Conversion
  readonly rounds: readonly Watched<Round>[]
}

const mostRatio = 1.05
const WARM_LAPS = 3

/** The cheapest conversion, in which the overhead around the codecs weighs most, and an ordinary one. */
const sourceNames = ['jpeg', 'webp-1200']

const middle = (rounds: readonly Watched<Round>[], value: (round: Round) => number) =>
  median(rounds.map(({ result }) => value(result)))

const ratioTable = (all: readonly Compared[]): Table => ({
  title: 'One process, and two API processes on one PostgreSQL: CPU for each image, two renderers in all',
  columns: ['conversion', 'one process ms', 'two ms', 'ratio', 'from–to', 'bar', 'foreign CPU'],
  rows: all.map(({ conversion: { title }, rounds }) => {
    const ratios = rounds.map(({ result: { one, two } }) => sumOf(two) / sumOf(one))
    return [
      title,
      ms(middle(rounds, ({ one }) => sumOf(one))),
      ms(middle(rounds, ({ two }) => sumOf(two))),
      ratio(median(ratios)),
      `${ratio(Math.min(...ratios))}–${ratio(Math.max(...ratios))}`,
      `≤ ${ratio(mostRatio)} ${median(ratios) <= mostRatio ? 'met' : 'MISSED'}`,
      percent(Math.max(...rounds.map(({ foreignShare }) => foreignShare))),
    ]
  }),
  notes: [
    "One process: `npm start` with the embedded PostgreSQL and two renderers. Two: `ROLE=api` twice, one renderer each, on the system's PostgreSQL over TCP. Both get the same images at concurrency 8, those of two split in half.",
    'CPU of all processes, both kinds of PostgreSQL included; the load generators are not. Workers of batches, which rest in the one process, are not among the two.',
  ],
})

const roleTable = (all: readonly Compared[]): Table => ({
  title: 'The same by role (ms of CPU for each image)',
  columns: ['conversion', 'processes', ...roles],
  rows: all.flatMap(({ conversion: { title }, rounds }) => [
    [title, 'one', ...roles.map((role) => ms(middle(rounds, ({ one }) => one[role])))],
    [title, 'two', ...roles.map((role) => ms(middle(rounds, ({ two }) => two[role])))],
  ]),
})

async function compare(one: Deployment, two: Deployment, conversion: Conversion, bench: Bench): Promise<Compared> {
  progress(`cluster: ${conversion.title}`)
  const requests = uploads(conversion, bench.photographs)
  const runOne = () => one.run(requests, conversion.block)
  const runTwo = () => two.run(requests, conversion.block)
  // Each of two sees half of the images, so warm up until all have compiled their hot code.
  for (let lap = 0; lap < WARM_LAPS; lap++) {
    await runOne()
    await runTwo()
  }
  const rounds = await quietRounds(bench.quick ? 2 : 6, async (round) => {
    // The order rotates, so that a slow drift of the machine favours neither.
    if (round % 2) return { two: await runTwo(), one: await runOne() }
    return { one: await runOne(), two: await runTwo() }
  })
  return { conversion, rounds }
}

/** The overhead of several processes. */
export const measureCluster: Measurement = {
  names: ['cluster'],
  async measure(bench) {
    const postgres = await startPostgres()
    if (!postgres) return []
    const running: Deployment[] = []
    const all: Compared[] = []
    try {
      const one = await oneProcess()
      running.push(one)
      const two = await twoProcesses(postgres)
      running.push(two)
      for (const conversion of conversions.filter(({ name }) => sourceNames.includes(name)))
        all.push(await compare(one, two, conversion, bench))
    } finally {
      for (const deployment of running) await deployment.stop()
      await postgres.stop()
    }
    return [ratioTable(all), roleTable(all)]
  },
}
