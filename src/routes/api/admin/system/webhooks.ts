import { z } from 'zod'
import { count, definePart, moment, warning } from './part.ts'

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
    waiting: count.describe('Deliveries that were not taken yet, those that are tried again among them.'),
    due: count.describe('Of them, those whose next attempt is due.'),
    underWay: count,
    oldestAt: moment.nullable(),
    lateSeconds: count.describe('How long the next attempt of one has been due.'),
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
      ? [warning('Webhooks are due and nobody sends them: is a process with ROLE=all or ROLE=worker running?')]
      : [],
})
