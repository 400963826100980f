import type { PoolTimes } from '../database/pool-times.ts'
import type { Meter, Watched } from './meter.ts'
import { type SharedState, sharedState } from './shared-state.ts'

/** From a look-up by key to the time in which a statement is given up. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

type PoolRow = readonly [name: string, help: string, read: (pool: Watched['database']['pool']) => number]

const poolRows: readonly PoolRow[] = [
  ['database_connections_open', 'Connections of the pool.', (pool) => pool.totalCount],
  ['database_connections_busy', 'Connections of the pool that are in use.', (pool) => pool.totalCount - pool.idleCount],
  ['database_connections_limit', 'Connections that the pool may open.', (pool) => pool.options.max],
  ['database_waiting', 'Questions that wait for a connection of the pool.', (pool) => pool.waitingCount],
]

type SharedRow = readonly [name: string, help: string, read: (state: SharedState) => number]

/** The same from every process that is asked: take the maximum, never the sum. */
const sharedRows: readonly SharedRow[] = [
  ['batches_unfinished', 'Batches that have not ended.', (state) => state.batches],
  ['batch_images_waiting', 'Images of batches that nobody works on yet.', (state) => state.imagesWaiting],
  ['batch_images_at_work', 'Images of batches that are being converted.', (state) => state.imagesAtWork],
  [
    'batch_oldest_seconds',
    'Age of the oldest batch that has images waiting; 0 where none has.',
    (state) => state.batchOldestSeconds,
  ],
  [
    'batch_idle_seconds',
    'Time since an image of any unfinished batch was done, or one was made; 0 where there is none.',
    (state) => state.batchIdleSeconds,
  ],
  [
    'webhooks_waiting',
    'Webhooks that were not taken yet, those that are tried again among them.',
    (state) => state.webhooksWaiting,
  ],
  ['webhooks_due', 'Webhooks whose next attempt is due.', (state) => state.webhooksDue],
  [
    'webhook_oldest_seconds',
    'Age of the oldest webhook that was not taken yet; 0 where none waits.',
    (state) => state.webhookOldestSeconds,
  ],
  [
    'webhook_late_seconds',
    'How long the next attempt of a webhook has been due; 0 where none is.',
    (state) => state.webhookLateSeconds,
  ],
  [
    'reservations_open',
    'Calls that are reserved and neither charged nor given back yet, those of batches among them.',
    (state) => state.reservations,
  ],
  [
    'reservation_oldest_seconds',
    'Age of the oldest reserved call that a process works on; 0 where there is none.',
    (state) => state.reservationOldestSeconds,
  ],
  ['database_migration', 'Number of the newest migration that the database has.', (state) => state.migration],
]

/** The pool of this process, and what the database knows of all of them; a database that is away costs gauges, never the answer. */
export function databaseMetrics(meter: Meter, watched: Partial<Watched>): PoolTimes {
  for (const [name, help, read] of poolRows) meter.number(name, help, () => watched.database && read(watched.database.pool))
  const waits = meter.histogram('database_wait_seconds', 'Time until the pool had a connection.', [], SECONDS)
  const uses = meter.histogram(
    'database_use_seconds',
    'Time that connections of the pool were held: one statement, or one transaction.',
    [],
    SECONDS,
  )
  const failures = meter.counter('database_connection_errors_total', 'Times in which the pool had no connection to give.')

  const state = sharedState(() => watched.database?.pool)
  meter.number('database_up', 'Whether the database answered when it was last asked for these gauges: 1 or 0.', async () =>
    watched.database ? Number((await state()) !== undefined) : undefined,
  )
  for (const [name, help, read] of sharedRows) {
    meter.number(name, `${help} Of all processes.`, async () => {
      const known = await state()
      return known && read(known)
    })
  }
  meter.gauge('servers', 'Processes that work on the database, by role. Of all processes.', ['role'], async (gauge) => {
    gauge.reset()
    for (const { role, count } of (await state())?.servers ?? []) gauge.set({ role }, count)
  })
  const queues = [
    ['queue_jobs_waiting', 'Jobs that are due and wait, by queue.', 'waiting'],
    ['queue_oldest_seconds', 'How long a job has been due, by queue; 0 where none is.', 'oldestSeconds'],
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
