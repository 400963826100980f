import { percent, perSecond } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { type BatchPlan, simulateBatches } from './batches.ts'
import { startClock } from './clock.ts'
import { openDraws } from './draws.ts'

const SHAPES = [
  { workers: 1, renderers: 2 },
  { workers: 1, renderers: 16 },
  { workers: 7, renderers: 16 },
  { workers: 63, renderers: 16 },
  { workers: 1_000, renderers: 1 },
  { workers: 625, renderers: 16 },
] as const
const DATABASE_CORES = 16

const one = [{ images: 1_000, at: 0 }]
const many = Array.from({ length: 100 }, () => ({ images: 1_000, at: 0 }))
/** Ten customers who send three images each, at some time while ten thousand of another customer are in progress. */
const late = [{ images: 10_000, at: 0 }, ...Array.from({ length: 10 }, (_, nth) => ({ images: 3, at: 0.4 + 0.15 * nth }))]

/** How long batches take with more and more workers, and whether small ones wait for large ones. */
export function batchTimes(seed: number): Table {
  const rows = SHAPES.map(({ workers, renderers }) => {
    progress(`simulation: batches with ${workers} workers`)
    const run = (batches: BatchPlan['batches']) => {
      const plan = { workers, renderers, databaseCores: DATABASE_CORES, batches }
      return simulateBatches(startClock(), openDraws(seed), plan)
    }
    const alone = run(one)
    const all = run(many)
    const small = run(late)
    const rate = 100_000 / Math.max(...all.seconds)
    const behind = small.seconds.slice(1)
    return [
      `${workers} × ${renderers}`,
      (alone.seconds[0] ?? Number.NaN).toFixed(1),
      Math.max(...all.seconds).toFixed(1),
      perSecond(rate),
      percent(all.rendering),
      percent(all.database),
      (behind.reduce((sum, seconds) => sum + seconds, 0) / behind.length).toFixed(2),
      Math.max(...behind).toFixed(2),
    ]
  })
  return {
    title: 'Simulated: batches',
    columns: [
      'workers × renderers',
      's for one of 1,000',
      's for 100 of 1,000',
      'images/s',
      'renderers',
      'PostgreSQL',
      's for 3 behind 10,000',
      'at most',
    ],
    rows,
    notes: [
      `PostgreSQL with ${DATABASE_CORES} cores. Utilisations are those of the 100 batches of 100 accounts, from the first look to the last image.`,
      'One batch is bounded by its row, which every claim and every group of results holds until it is on disk.',
    ],
  }
}
