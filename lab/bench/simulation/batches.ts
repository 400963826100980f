import { openBatchRows } from './batch-rows.ts'
import { startBatchWorker } from './batch-worker.ts'
import type { Clock } from './clock.ts'
import type { Draws } from './draws.ts'
import { openPlaces } from './places.ts'

/** A simulated batch system: workers with renderers, a processor for each, and the batches, each of another account. */
export interface BatchPlan {
  readonly workers: number
  readonly renderers: number
  readonly databaseCores: number
  /** Images of each batch, and its arrival in seconds. */
  readonly batches: readonly { readonly images: number; readonly at: number }[]
}

export interface BatchOutcome {
  /** The time from each batch's arrival to its end, in seconds. */
  readonly seconds: readonly number[]
  /** Utilisation of PostgreSQL's processors, and of renderers, 0 to 1. */
  readonly database: number
  readonly rendering: number
}

/** Two workers take an hour and a half for a hundred batches. */
const LONGEST_SECONDS = 10_000

export function simulateBatches(clock: Clock, draws: Draws, plan: BatchPlan): BatchOutcome {
  const { workers, renderers, databaseCores, batches } = plan
  const rows = openBatchRows(clock, databaseCores, batches)
  const all = Array.from({ length: workers }, () => openPlaces(clock, renderers))
  for (const places of all) startBatchWorker({ clock, draws, rows, places, renderers })
  const end = clock.now + LONGEST_SECONDS
  for (let step = clock.now + 1; rows.open > 0 && step < end; step++) clock.run(step)
  const rendering = all.reduce((sum, one) => sum + one.utilisation(), 0) / all.length
  return { seconds: rows.seconds, database: rows.cores.utilisation(), rendering }
}
