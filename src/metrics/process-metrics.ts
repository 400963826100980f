import type { Meter, Watched } from './meter.ts'

/** What this process is, and how it started. */
export interface ProcessMetrics {
  onStart(what: { readonly version: string; readonly role: string }): void
  /** It answers, or works: everything of the start is done. */
  onReady(): void
}

export function processMetrics(meter: Meter, watched: Partial<Watched>): ProcessMetrics {
  const build = meter.gauge('build_info', 'Always 1; what runs is in the labels.', ['version', 'node', 'role'])
  const start = meter.gauge('start_seconds', 'Time from the start of the process until it answered, or worked.')
  meter.number('present', 'Whether other servers see this one: 1 or 0. While they do not, its work may be given to them.', () =>
    watched.presence ? Number(watched.presence.held()) : undefined,
  )
  return {
    onStart: (what) => build.set({ ...what, node: process.versions.node }, 1),
    onReady: () => start.set(process.uptime()),
  }
}

/** Numbers of what is done behind the answers: statistics, housekeeping, webhooks. */
export interface WorkMetrics {
  /** Statistics of calls that could not be written. */
  onUsageLost(events: number): void
  onLedgerChecked(mismatches: number): void
  onJobFailed(job: string): void
  onJobDone(job: string): void
  /** One attempt at a webhook; `outcome` is what its delivery is then. */
  onWebhookAttempt(outcome: string, seconds: number): void
}

/** Up to the deadline of an attempt, 15 s. */
const ATTEMPT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export function workMetrics(meter: Meter, watched: Partial<Watched>): WorkMetrics {
  const usageLost = meter.counter('usage_events_lost_total', 'Statistics of calls that could not be written.')
  meter.number('usage_events_waiting', 'Statistics of calls that are not written yet; beyond 10,000 the oldest are lost.', () =>
    watched.usage?.waiting(),
  )
  const mismatches = meter.gauge(
    'ledger_mismatches',
    'Accounts whose credits are not what their ledger says, at the last check of this process: 0, or somebody must look.',
  )
  const jobFailures = meter.counter('job_failures_total', 'Runs of housekeeping jobs that failed.', ['job'])
  // Not `job`, which Prometheus has for itself.
  const jobDone = meter.gauge(
    'job_last_success_timestamp_seconds',
    'When this process last ran a housekeeping job to its end, in Unix time. Each run is done by one process: take the maximum.',
    ['task'],
  )
  const attempts = meter.counter('webhook_attempts_total', 'Attempts at webhooks, by what their delivery was then.', ['outcome'])
  const attemptTimes = meter.histogram('webhook_attempt_seconds', 'Time of attempts at webhooks.', ['outcome'], ATTEMPT_SECONDS)
  return {
    onUsageLost: (events) => usageLost.inc(events),
    onLedgerChecked: (found) => mismatches.set(found),
    onJobFailed: (job) => jobFailures.inc({ job }),
    onJobDone: (task) => jobDone.set({ task }, Math.round(Date.now() / 1000)),
    onWebhookAttempt(outcome, seconds) {
      attempts.inc({ outcome })
      attemptTimes.observe({ outcome }, seconds)
    },
  }
}
