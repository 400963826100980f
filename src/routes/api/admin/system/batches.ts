import { z } from 'zod'
import { count, definePart, moment, warning } from './part.ts'

/** Workers take turns within seconds: who waits for longer waits for one. */
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
    worksHere: z.boolean().describe('Whether this process converts images of batches; others may.'),
    queued: count,
    processing: count,
    images: z.object({ waiting: count, atWork: count }),
    oldestAt: moment.nullable().describe('When the oldest that has not ended was made.'),
    progressAt: moment.nullable().describe('When an image of any of them was done, or one was made.'),
    stillSeconds: count.describe('Since then, by the clock of the database.'),
    kept: count.describe('That have ended, and whose results can still be had.'),
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
            'Images of batches wait, and nobody works on them: is a process with ROLE=worker running, and has the disk room?',
          ),
        ]
      : [],
})
