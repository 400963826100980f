import type { PoolTimes } from '../database/pool-times.ts'
import type { Meter, Watched } from './meter.ts'
import { type SharedState, sharedState } from './shared-state.ts'

/** From a lookup by key to the timeout of statements. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type PoolRow = readonly [name: string, help: string, read: (pool: Watched['database']['pool']) => number]

const poolRows: readonly PoolRow[] = [
  ['database_connections_open', 'Open connections of the pool.', (pool) => pool.totalCount],
  ['database_connections_busy', 'Connections of the pool in use.', (pool) => pool.totalCount - pool.idleCount],
  ['database_connections_limit', 'Maximum connections of the pool.', (pool) => pool.options.max],
  ['database_waiting', 'Statements and transactions waiting for a connection of the pool.', (pool) => pool.waitingCount],
]

type SharedRow = readonly [name: string, help: string, read: (state: SharedState) => number]

/** The same value from every process: take the maximum, never the sum. */
const sharedRows: readonly SharedRow[] = [
  ['batches_unfinished', 'Unfinished batches.', (state) => state.batches],
  ['batch_images_waiting', 'Waiting images of batches.', (state) => state.imagesWaiting],
  ['batch_images_at_work', 'Images of batches being converted.', (state) => state.imagesAtWork],
  [
    'batch_oldest_seconds',
    'Age of the oldest batch with waiting images; 0 if there is none.',
    (state) => state.batchOldestSeconds,
  ],
  [
    'batch_idle_seconds',
    'Time since an unfinished batch was created or finished an image; 0 if there is none.',
    (state) => state.batchIdleSeconds,
  ],
  ['webhooks_waiting', 'Undelivered webhooks, including retries.', (state) => state.webhooksWaiting],
  ['webhooks_due', 'Webhooks with an attempt due.', (state) => state.webhooksDue],
  ['webhook_oldest_seconds', 'Age of the oldest undelivered webhook; 0 if there is none.', (state) => state.webhookOldestSeconds],
  [
    'webhook_late_seconds',
    'How long the most overdue webhook attempt has been due; 0 if there is none.',
    (state) => state.webhookLateSeconds,
  ],
  ['reservations_open', 'Calls reserved but neither charged nor returned yet, including batches.', (state) => state.reservations],
  [
    'reservation_oldest_seconds',
    'Age of the oldest reserved call in progress; 0 if there is none.',
    (state) => state.reservationOldestSeconds,
  ],
  ['database_migration', 'Number of the latest migration of the database.', (state) => state.migration],
]

/**
 * The pool of this process, and the database's data on all processes; if the database is unavailable, only gauges are missing.
 */
export function databaseMetrics(meter: Meter, parts: Partial<Watched>): PoolTimes {
  for (const [name, help, read] of poolRows) meter.number(name, help, () => parts.database && read(parts.database.pool))
  const waits = meter.histogram('database_wait_seconds', 'Wait for a connection of the pool.', [], SECONDS)
  const uses = meter.histogram(
    'database_use_seconds',
    'Time a connection of the pool is held: one statement or transaction.',
    [],
    SECONDS,
  )
  const failures = meter.counter('database_connection_errors_total', 'Failures to get a connection from the pool.')

  const state = sharedState(() => parts.database?.pool)
  meter.number('database_up', 'Whether the database answered the last query for these metrics: 1 or 0.', async () =>
    parts.database ? Number((await state()) !== undefined) : undefined,
  )
  for (const [name, help, read] of sharedRows) {
    meter.number(name, `${help} Of all processes.`, async () => {
      const knownState = await state()
      return knownState && read(knownState)
    })
  }
  meter.gauge('servers', 'Processes connected to the database, by role. Of all processes.', ['role'], async (gauge) => {
    gauge.reset()
    for (const { role, count } of (await state())?.servers ?? []) gauge.set({ role }, count)
  })
  const queues = [
    ['queue_jobs_waiting', 'Due jobs waiting, by queue.', 'waiting'],
    ['queue_oldest_seconds', 'How long the oldest due job has waited, by queue; 0 if there is none.', 'oldestSeconds'],
  ] as const
  for (const [name, help, field] of queues) {
    meter.gauge(name, `${help} Of all processes.`, ['queue'], async (gauge) => {
      gauge.reset()
      for (const one of (await state())?.queues ?? []) gauge.set({ queue: one.queue }, one[field])
    })
  }
  return {
    onWait: (seconds) => waits.observe(seconds),
    onUse: (seconds) => uses.observe(seconds),
    onFailure: () => failures.inc(),
  }
}
