import { ms, percent, perSecond, ratio } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { type Clock, startClock } from './clock.ts'
import { type StationName, stationNames } from './cluster.ts'
import { openDraws } from './draws.ts'
import { type Outcome, processorLimit, simulate } from './load.ts'
import { kinds } from './measured-costs.ts'
import { type Proposal, proposals } from './plans.ts'

/** Load as a share of what the processors of all renderers can do. */
const LOADS = [0.1, 0.5, 0.8, 0.9, 1, 1.2, 2] as const
/** Each point has a million events and more with thousands of processes. */
const LOADS_OF_MANY = [0.1, 0.5, 0.8, 1.2] as const
const MANY = 1_000
const LEAST_SECONDS = 1.5
const mix = Object.values(kinds)
const meanSeconds = mix.reduce((sum, { share, render }) => sum + share * render.seconds, 0)

interface Point {
  readonly load: number
  /** Requested images per second. */
  readonly asked: number
  readonly outcome: Outcome
  readonly happenings: number
}

function simulateAt(plan: Proposal, load: number, seed: number, requests: number): Point {
  const clock: Clock = startClock()
  const perSecond = load * processorLimit(plan, mix)
  // The time is long enough for several pictures on each renderer, and for refused clients to come back.
  const seconds = Math.max(LEAST_SECONDS, requests / perSecond)
  const arrivals = { perSecond: perSecond, together: 4 }
  const outcome = simulate(clock, openDraws(seed), { plan, kinds: mix, arrivals, warmSeconds: LEAST_SECONDS, seconds })
  return { load, asked: perSecond, outcome, happenings: clock.count }
}

/** Everything but the disk: constant flushing does not mean that it is full, since all waiting commits share a flush. */
function fullest({ utilisations }: Outcome): string {
  const hundredths = (name: StationName) => Math.round(100 * utilisations[name])
  const stations = stationNames.filter((name) => name !== 'disk')
  const [first = 'renderers'] = stations.toSorted((one, other) => hundredths(other) - hundredths(one))
  return `${first} ${hundredths(first)} %`
}

/** The promises of the plan, and whether the simulation meets them. */
function boundsOf({ name }: Proposal, points: readonly Point[]): readonly (readonly string[])[] {
  const at = (load: number) => points.find((point) => point.load === load)
  const half = at(0.5)
  const most = at(0.8)
  const over = points.at(-1)
  const peak = Math.max(...points.map(({ outcome }) => outcome.perSecond))
  const bound = (what: string, value: number, holds: boolean) => [name, what, value.toFixed(2), holds ? 'met' : 'MISSED']
  if (!half || !most || !over) return []
  const waits = most.outcome.latencies.mean / half.outcome.latencies.mean
  const answeredShare = most.outcome.perSecond / most.asked
  return [
    bound('at 0.8 of the limit all are answered: answered of asked at least 0.97', answeredShare, answeredShare >= 0.97),
    bound('at 0.8 waiting takes no more than at 0.5 does all: mean at most twice', waits, waits <= 2),
    bound(
      'at 0.8 PostgreSQL has spare capacity: at most 0.8',
      most.outcome.utilisations.PostgreSQL,
      most.outcome.utilisations.PostgreSQL <= 0.8,
    ),
    bound(
      `at ${over.load} of the limit goodput holds: at least 0.9 of the peak`,
      over.outcome.perSecond / peak,
      over.outcome.perSecond >= 0.9 * peak,
    ),
  ]
}

const rowOf = ({ load, asked, outcome }: Point): string[] => [
  ratio(load),
  perSecond(asked),
  perSecond(outcome.perSecond),
  ...[0.5, 0.95, 0.99].map((share) => ms(1000 * outcome.latencies.percentile(share))),
  percent(outcome.refused / Math.max(1, outcome.refused + outcome.latencies.count)),
  fullest(outcome),
  percent(outcome.utilisations.PostgreSQL),
  percent(outcome.utilisations['API thread']),
]

/** Latency and goodput against load for each plan, and whether its promises hold. */
export function againstLoad(seed: number, quick: boolean): readonly Table[] {
  const bounds: (readonly string[])[] = []
  let happenings = 0
  const before = process.cpuUsage()
  const tables = proposals.map((plan): Table => {
    progress(`simulation: ${plan.name}`)
    const points = (plan.machines > MANY ? LOADS_OF_MANY : LOADS).map((load) =>
      simulateAt(plan, load, seed, quick ? 4_000 : 20_000),
    )
    happenings += points.reduce((sum, point) => sum + point.happenings, 0)
    bounds.push(...boundsOf(plan, points))
    const database = `PostgreSQL with ${plan.databaseCores} cores`
    return {
      title: `Simulated: ${plan.name}, ${plan.machines} API processes with ${plan.renderers} each, ${database}`,
      columns: ['of limit', 'asked/s', 'images/s', 'ms p50', 'p95', 'p99', 'refused', 'fullest', 'PostgreSQL', 'API thread'],
      rows: points.map(rowOf),
    }
  })
  const { user, system } = process.cpuUsage(before)
  const seconds = (user + system) / 1e6
  const notes = [
    `Seed ${seed}; ${(happenings / 1e6).toFixed(1)} million happenings in ${seconds.toFixed(0)} s of a processor. Requests come in groups of four on average, each to the less busy of two processes; a picture takes ${ms(1000 * meanSeconds)} ms of a renderer on average.`,
    'Latency counts from the first try; a client that is refused comes again after 1 to 1.25 s, four times. Utilisation and refusals are means.',
  ]
  return [...tables, { title: 'The plan against the simulation', columns: ['plan', 'bound', 'value', ''], rows: bounds, notes }]
}
