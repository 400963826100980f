import { ms, perSecond, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import { startClock } from './clock.ts'
import { openDraws } from './draws.ts'
import { simulate } from './load.ts'
import { type Kind, kinds } from './measured-costs.ts'
import { benchMachine } from './plans.ts'

interface Measured {
  readonly kind: Kind
  /** Images per second with 2, 8, 16 and 64 clients. */
  readonly perSecond: readonly [number, number, number, number]
}

const CLIENTS = [2, 8, 16, 64] as const
/** Accepted relative error of a prediction. */
const BAR = 0.15

/** `npm run bench` of 21 November 2026, when the costs were measured too: the machine has been faster since then, for both. */
const MEASUREMENTS: readonly Measured[] = [
  { kind: kinds.jpeg, perSecond: [65, 82, 76, 77] },
  { kind: kinds.webp, perSecond: [47, 54, 54, 55] },
  { kind: kinds.avif, perSecond: [14, 13, 13, 13] },
  { kind: kinds.medium, perSecond: [14, 11, 16, 17] },
]

/** Predicted and measured values: closed loops of clients on the benchmark machine. */
export function validate(seed: number): Table {
  const rows = MEASUREMENTS.flatMap(({ kind, perSecond: rates }) =>
    CLIENTS.map((clients, at) => {
      const load = { plan: benchMachine, kinds: [{ ...kind, share: 1 }], arrivals: { clients }, warmSeconds: 10, seconds: 60 }
      const outcome = simulate(startClock(), openDraws(seed), load)
      const share = outcome.perSecond / (rates[at] ?? Number.NaN)
      return [
        `${kind.name}, ${clients} clients`,
        perSecond(outcome.perSecond),
        perSecond(rates[at] ?? Number.NaN),
        ratio(share),
        Math.abs(share - 1) <= BAR ? 'met' : 'MISSED',
        ms(1000 * outcome.latencies.percentile(0.5)),
      ]
    }),
  )
  return {
    title: 'The simulation beside the service: one machine with two cores and two renderers',
    columns: ['load', 'images/s simulated', 'measured', 'ratio', `within ${100 * BAR} %`, 'ms simulated (median)'],
    rows,
    notes: [
      'Measured on the day of the costs that are simulated, 21 November 2026. PostgreSQL and the load generator are on the same two cores, in both.',
    ],
  }
}
