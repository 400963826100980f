import type pg from 'pg'

export interface RunningBatches {
  readonly running: number
  /** Of their images, those that nobody has begun with. */
  readonly imagesWaiting: number
}

const RUNNING = `
  select count(*) as running, coalesce(sum(pending), 0)::bigint as "imagesWaiting"
    from batch where account_id = $1 and finished_at is null`

/** Batches of an account that have not ended. */
export async function runningBatches(pool: pg.Pool, accountId: string): Promise<RunningBatches> {
  const { rows } = await pool.query<RunningBatches>(RUNNING, [accountId])
  const [row] = rows
  if (!row) throw new Error('a count has one row')
  return row
}
