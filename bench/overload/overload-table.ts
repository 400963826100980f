import type { LoadResult, RetryHabit } from '../load/load-plan.ts'
import { median } from '../measure/median.ts'
import { ms, perSecond, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'

export interface Scene {
  readonly concurrency: number
  readonly retry: RetryHabit
  readonly overloaded: boolean
}

type Runs = ReadonlyMap<Scene, readonly LoadResult[]>

const leastGoodput = 0.95
const mostRefusalMs = 50

const rateOf = (runs: readonly LoadResult[]) => median(runs.map((run) => run.imagesPerSecond))
const sum = (runs: readonly LoadResult[], value: (run: LoadResult) => number) =>
  runs.reduce((total, run) => total + value(run), 0)
const verdict = (holds: boolean) => (holds ? 'met' : 'MISSED')

function rowOf({ concurrency, retry, overloaded }: Scene, runs: readonly LoadResult[], peak: number): string[] {
  const refused = sum(runs, (run) => run.statuses['503'] ?? 0)
  const refusalMs = median(runs.filter((run) => run.statuses['503']).map((run) => run.refusal.medianMs))
  const share = rateOf(runs) / peak
  const [lost, timedOut, failed] = [
    sum(runs, (run) => run.lost),
    sum(runs, (run) => run.timedOut),
    sum(runs, (run) => run.failed),
  ]
  const holds = share >= leastGoodput && refusalMs < mostRefusalMs && lost + timedOut + failed === 0
  return [
    `${concurrency}, retry: ${retry}`,
    perSecond(rateOf(runs)),
    ratio(share),
    String(refused),
    refused ? `${ms(refusalMs)} / ${ms(median(runs.map((run) => run.refusal.p95Ms)))}` : '–',
    String(lost),
    String(timedOut),
    String(failed),
    ms(sum(runs, (run) => run.cpuMs) / sum(runs, (run) => run.succeeded)),
    overloaded ? verdict(holds) : '–',
  ]
}

export function overloadTable(what: string, all: Runs): Table {
  const peak = Math.max(...[...all].filter(([scene]) => !scene.overloaded).map(([, runs]) => rateOf(runs)))
  return {
    title: `Overload: ${what}`,
    columns: [
      'clients',
      'images/s',
      'of peak',
      'refused',
      'refusal ms (median / p95)',
      'lost',
      'timed out',
      'failed',
      'load ms/image',
      'bar',
    ],
    rows: [...all].map(([scene, runs]) => rowOf(scene, runs, peak)),
    notes: [
      `Bar: goodput at least ${leastGoodput} of the peak, refusals below ${mostRefusalMs} ms at the median, none lost, timed out or failed.`,
      'Polite clients wait as Retry-After says, at most a second, plus up to a quarter of one; impatient ones ask again at once, and the generator then takes its CPU from the server.',
    ],
  }
}
