import { quantile } from '../measure/median.ts'
import { megabytes, ms, perSecond, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import { goodput, recoverySeconds } from './reckoning.ts'
import type { Phase, PhaseResult } from './storm-plan.ts'

type Without<Union, Key extends string> = Union extends unknown ? Omit<Union, Key> : never

export interface Scene {
  readonly name: string
  readonly load: Without<Phase, 'seconds'>
}

export interface SceneResult {
  readonly scene: Scene
  /** The phases before, during and after the overload. */
  readonly phases: readonly PhaseResult[]
  /** Images per second, the mean of before and after, so that a drifting machine favours neither. */
  readonly peak: number
  /** MB of all processes of the server (PSS). */
  readonly memory: { readonly most: number; readonly after: number }
}

const LEAST_GOODPUT = 0.95
const MOST_RECOVERY_S = 2

const count = (phases: readonly PhaseResult[], end: string | number) =>
  phases.reduce((sum, { sent }) => sum + sent.filter((one) => one.end === end).length, 0)

function rowOf({ scene, phases, peak, memory }: SceneResult): string[] {
  const storm = phases[1]
  if (!storm) throw new Error('there was no storm')
  const rate = goodput(phases, 1)
  const refusals = storm.sent.filter(({ end }) => end === 503)
  const recovery = recoverySeconds(phases)
  const withoutAnswer = count(phases, 'lost') + count(phases, 'timed out')
  const share = rate / peak
  const holds = share >= LEAST_GOODPUT && recovery <= MOST_RECOVERY_S && withoutAnswer === 0
  const tookMs = refusals.map((one) => one.tookMs)
  return [
    scene.name,
    perSecond(storm.sent.length / (storm.wallMs / 1000)),
    perSecond(rate),
    ratio(share),
    `${ms(quantile(tookMs, 0.5))} / ${ms(quantile(tookMs, 0.95))}`,
    String(withoutAnswer),
    recovery.toFixed(1),
    `${megabytes(memory.most)} / ${megabytes(memory.after)}`,
    ratio(storm.cpuMs / storm.wallMs),
    holds ? 'met' : 'MISSED',
  ]
}

export const overloadTable = (what: string, results: readonly SceneResult[]): Table => ({
  title: `Overload: ${what}`,
  columns: [
    'what comes',
    'requests/s',
    'images/s',
    'of the peak',
    'refusal ms (median / p95)',
    'no answer',
    'recovery s',
    'MB most / after',
    'cores of the generator',
    'bar',
  ],
  rows: results.map(rowOf),
  notes: [
    `Bar: images at least ${LEAST_GOODPUT} of the peak, recovery within ${MOST_RECOVERY_S} s, every request answered.`,
    'Peak: the mean of what four clients for each renderer get before and after; the same machine differed by a tenth between them.',
    'Every client sends at 100 Mbit/s, stops when it is refused, and goes after 30 s.',
    'Recovery: until the 95th percentile at half load is within a fifth of its value before.',
  ],
})
