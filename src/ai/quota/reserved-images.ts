import type pg from 'pg'
import type { DailyImages } from '../../contract/allowance.ts'
import type { Retries } from '../../metering/retries.ts'
import { dayOf } from './day-of.ts'

/** Images of one request, from their reservation to their end. */
export interface ReservedImages {
  /**
   * At the end of a request, before its answer is sent: as many were answered and count, the rest is given back. Only the first
   * time does anything. The model has been asked by now, so that the answer is delivered whatever becomes of the count: it never
   * rejects, and what the database cannot be told is tried again later.
   */
  settle(succeeded: number): Promise<void>
  /** The account's day as things stand now. */
  state(): DailyImages
}

interface Reservation {
  readonly id: string
  readonly accountId: string
  /** The UTC day that it was taken from: a request may end on the next. */
  readonly day: string
  readonly images: number
  readonly state: DailyImages
}

interface Means {
  readonly pool: Pick<pg.Pool, 'query'>
  readonly later: Retries['add']
  onDelay(error: unknown): void
}

const SETTLE = { name: 'settle_ai_images', text: 'select settle_ai_images($1, $2, $3, $4) as used' }

export function reservedImages(
  { id, accountId, day, images, state: before }: Reservation,
  { pool, later, onDelay }: Means,
): ReservedImages {
  let state = before
  let ended: Promise<void> | undefined

  function show(used: number): void {
    state = dayOf(before.limit, used, before.resetsAt)
  }
  async function end(succeeded: number): Promise<void> {
    show(before.used - (images - succeeded))
    try {
      const { rows } = await pool.query<{ used: number }>({ ...SETTLE, values: [id, succeeded, accountId, day] })
      if (rows[0]) show(rows[0].used)
    } catch (error) {
      onDelay(error)
      // It may have been committed: from now on only a reservation that still stands is settled.
      later(() => pool.query({ ...SETTLE, values: [id, succeeded, null, null] }))
    }
  }
  return {
    settle: (succeeded) => (ended ??= end(succeeded)),
    state: () => state,
  }
}
