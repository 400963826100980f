import { quantile } from '../measure/median.ts'
import type { PhaseResult, Sent } from './storm-plan.ts'

const isImage = ({ end }: Sent) => end === 200

/** Images per second completed during a phase, whenever they were requested. */
export function goodput(phases: readonly PhaseResult[], at: number): number {
  const phase = phases[at]
  if (!phase) throw new Error(`there is no phase ${at}`)
  const from = phase.began
  const to = phase.began + phase.wallMs
  const ends = phases.flatMap(({ began, sent }) => sent.filter(isImage).map(({ atMs, tookMs }) => began + atMs + tookMs))
  return (1000 * ends.filter((end) => end >= from && end < to).length) / phase.wallMs
}

const tookMs = (requests: readonly Sent[]) => requests.filter(isImage).map((one) => one.tookMs)

const WINDOW_MS = 2_000
const STEP_MS = 100
const ALLOWED = 1.2

/**
 * Seconds after the overload until requests that arrive within the next two seconds are as fast, at the 95th percentile, as
 * before it, within a fifth; infinite if that does not happen.
 */
export function recoverySeconds([before, , after]: readonly PhaseResult[]): number {
  if (!before || !after) throw new Error('a storm has a calm before and after it')
  const bar = ALLOWED * quantile(tookMs(before.sent), 0.95)
  for (let from = 0; from + WINDOW_MS <= after.wallMs; from += STEP_MS) {
    const window = after.sent.filter(({ atMs }) => atMs >= from && atMs < from + WINDOW_MS)
    const isAllServed = window.every(isImage)
    if (isAllServed && quantile(tookMs(window), 0.95) <= bar) return from / 1000
  }
  return Number.POSITIVE_INFINITY
}
