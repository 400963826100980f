import { quantile } from '../measure/median.ts'
import type { Latency, LoadResult } from './load-plan.ts'
import type { Answer } from './send-request.ts'

/** Counts the outcomes of one run of the load generator. `countFromMs` is on the clock of performance.now(). */
export function openTally(countFromMs: number, countUntilMs: number) {
  const statuses: Record<string, number> = {}
  const successMs: number[] = []
  const refusalMs: number[] = []
  const sums = { succeeded: 0, lost: 0, timedOut: 0, failed: 0, outputBytes: 0, inWindow: 0 }
  let lastMs = countFromMs

  const countAnswer = ({ status, timedOut, ms }: Answer) => {
    statuses[status || 'none'] = (statuses[status || 'none'] ?? 0) + 1
    if (status === 503) refusalMs.push(ms)
    if (!status) sums[timedOut ? 'timedOut' : 'lost']++
  }
  const countSuccess = (bytes: number, sinceFirstTryMs: number) => {
    const now = performance.now()
    if (now >= countFromMs && now <= countUntilMs) {
      sums.inWindow++
      lastMs = now
    }
    sums.succeeded++
    sums.outputBytes += bytes
    successMs.push(sinceFirstTryMs)
  }
  const close = (cpuMs: number): LoadResult => {
    const { inWindow, ...counts } = sums
    const wallMs = (Number.isFinite(countUntilMs) ? countUntilMs : lastMs) - countFromMs
    const imagesPerSecond = (1000 * inWindow) / wallMs
    return { ...counts, statuses, wallMs, imagesPerSecond, latency: latencyOf(successMs), refusal: latencyOf(refusalMs), cpuMs }
  }
  const countFailure = () => {
    sums.failed++
  }
  return { answered: countAnswer, succeeded: countSuccess, failed: countFailure, close }
}

const latencyOf = (times: readonly number[]): Latency => ({
  medianMs: quantile(times, 0.5),
  p95Ms: quantile(times, 0.95),
  p99Ms: quantile(times, 0.99),
})
