import { z } from 'zod'
import { count, definePart, moment, warning } from './part.ts'

/** Workers claim images within seconds: when nothing happens for longer, no worker is running. */
const STILL_SECONDS = 60

const BATCHES = `
  select count(*) filter (where status = 'queued') as queued,
         count(*) filter (where status = 'processing') as processing,
         coalesce(sum(pending), 0)::bigint as waiting,
         coalesce(sum(total - pending - succeeded - failed), 0)::bigint as at_work,
         min(created_at) as oldest, max(idle_since) as progress,
         coalesce(extract(epoch from clock_timestamp() - max(idle_since)), 0)::int as still_seconds,
         (select count(*) from batch kept where kept.finished_at is not null and not kept.cleared) as kept
    from batch where finished_at is null`

interface Row {
  readonly queued: number
  readonly processing: number
  readonly waiting: number
  readonly at_work: number
  readonly oldest: Date | null
  readonly progress: Date | null
  readonly still_seconds: number
  readonly kept: number
}

export const batches = definePart({
  shape: z.object({
    worksHere: z.boolean().describe('Whether this process converts images of batches.'),
    queued: count,
    processing: count,
    images: z.object({ waiting: count, atWork: count }),
    oldestAt: moment.nullable().describe('When the oldest unfinished batch was created.'),
    progressAt: moment.nullable().describe('When an unfinished batch last finished an image or was created.'),
    stillSeconds: count.describe('Seconds since then, by the clock of the database.'),
    kept: count.describe('Ended batches whose results are still available.'),
  }),
  async read({ database, batchWorker }) {
    const { rows } = await database.pool.query<Row>(BATCHES)
    const [row] = rows
    if (!row) throw new Error('a count has one row')
    return {
      worksHere: batchWorker !== undefined,
      queued: row.queued,
      processing: row.processing,
      images: { waiting: row.waiting, atWork: row.at_work },
      oldestAt: row.oldest?.toISOString() ?? null,
      progressAt: row.progress?.toISOString() ?? null,
      stillSeconds: Math.max(0, row.still_seconds),
      kept: row.kept,
    }
  },
  concerns: ({ images: { waiting, atWork }, stillSeconds }) =>
    waiting > 0 && atWork === 0 && stillSeconds > STILL_SECONDS
      ? [
          warning(
            'Images of batches wait, and no worker processes them: is a process with ROLE=worker running, and has the disk free space?',
          ),
        ]
      : [],
})

const LATE_SECONDS = 120

const WAITING = `
  select count(*) as waiting, count(*) filter (where next_attempt_at <= clock_timestamp()) as due,
         count(*) filter (where claimed_until > clock_timestamp()) as under_way, min(created_at) as oldest,
         coalesce(extract(epoch from clock_timestamp() - min(next_attempt_at)), 0)::int as late_seconds
    from webhook_delivery where status = 'pending'`

interface Row {
  readonly waiting: number
  readonly due: number
  readonly under_way: number
  readonly oldest: Date | null
  readonly late_seconds: number
}

export const webhooks = definePart({
  shape: z.object({
    waiting: count.describe('Pending deliveries, including those to be retried.'),
    due: count.describe('Pending deliveries whose next attempt is due.'),
    underWay: count,
    oldestAt: moment.nullable(),
    lateSeconds: count.describe('How long the most overdue attempt has been due.'),
  }),
  async read({ database }) {
    const { rows } = await database.pool.query<Row>(WAITING)
    const [row] = rows
    if (!row) throw new Error('a count has one row')
    const { waiting, due, under_way: underWay, oldest, late_seconds: late } = row
    return { waiting, due, underWay, oldestAt: oldest?.toISOString() ?? null, lateSeconds: Math.max(0, late) }
  },
  concerns: ({ lateSeconds }) =>
    lateSeconds > LATE_SECONDS
      ? [warning('Webhooks are due and no process sends them: is a process with ROLE=all or ROLE=worker running?')]
      : [],
})
