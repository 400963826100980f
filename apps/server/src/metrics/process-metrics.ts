import type { Meter, Watched } from './meter.ts'

/** The identity of this process, and its start. */
export interface ProcessMetrics {
  onStart(what: { readonly version: string; readonly role: string }): void
  /** Called when the start is complete. */
  onReady(): void
}

export function processMetrics(meter: Meter, parts: Partial<Watched>): ProcessMetrics {
  const build = meter.gauge('build_info', 'Always 1; version, Node.js and role are labels.', ['version', 'node', 'role'])
  const start = meter.gauge('start_seconds', 'Time from process start until ready.')
  meter.number(
    'present',
    'Whether this process holds its instance lock: 1 or 0. Without it, other processes may take over its work.',
    () => (parts.instance ? Number(parts.instance.held()) : undefined),
  )
  return {
    onStart: (what) => build.set({ ...what, node: process.versions.node }, 1),
    onReady: () => start.set(process.uptime()),
  }
}

/** Metrics of background work: statistics, housekeeping, webhooks. */
export interface WorkMetrics {
  /** Lost usage statistics of calls. */
  onUsageLost(events: number): void
  onLedgerChecked(mismatches: number): void
  onJobFailed(job: string): void
  onJobDone(job: string): void
  /** One webhook attempt; `outcome` is the status of its delivery afterwards. */
  onWebhookAttempt(outcome: string, seconds: number): void
  /** An exception that nothing caught, by what threw it. */
  onUncaught(thrower: 'listener' | 'promise'): void
}

/** Up to the deadline of an attempt, 15 s. */
const ATTEMPT_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15]

export function workMetrics(meter: Meter, parts: Partial<Watched>): WorkMetrics {
  const usageLost = meter.counter('usage_events_lost_total', 'Usage statistics of calls that were lost.')
  meter.number(
    'usage_events_waiting',
    'Usage statistics of calls waiting to be written; above 10,000 the oldest are dropped.',
    () => parts.usage?.waiting(),
  )
  const mismatches = meter.gauge(
    'ledger_mismatches',
    'Accounts whose credits differ from their ledger at the last check of this process; anything but 0 needs action.',
  )
  const jobFailures = meter.counter('job_failures_total', 'Failed runs of housekeeping jobs.', ['job'])
  // Not `job`, which Prometheus uses itself.
  const jobDone = meter.gauge(
    'job_last_success_timestamp_seconds',
    'Unix time of the last successful run of a housekeeping job in this process. Use the maximum of all processes.',
    ['task'],
  )
  const attempts = meter.counter('webhook_attempts_total', 'Webhook attempts, by resulting state of the delivery.', ['outcome'])
  const attemptTimes = meter.histogram('webhook_attempt_seconds', 'Duration of webhook attempts.', ['outcome'], ATTEMPT_SECONDS)
  const uncaught = meter.counter(
    'uncaught_exceptions_total',
    'Exceptions outside of requests that nothing caught, by what threw it.',
    ['thrower'],
  )
  return {
    onUsageLost: (events) => usageLost.inc(events),
    onLedgerChecked: (foundCount) => mismatches.set(foundCount),
    onJobFailed: (job) => jobFailures.inc({ job }),
    onJobDone: (task) => jobDone.set({ task }, Math.round(Date.now() / 1000)),
    onWebhookAttempt(outcome, seconds) {
      attempts.inc({ outcome })
      attemptTimes.observe({ outcome }, seconds)
    },
    onUncaught: (thrower) => uncaught.inc({ thrower }),
  }
}
