import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@pixelmill/codecs/contract/limits'
import type pg from 'pg'
import { INSTANCE_LOCK } from './instance.ts'

/** Reservations given back in one transaction, so that none is long. */
const SLICE = 1_000

/** Gives back the reservations of dead servers, and those older than an hour. Returns how many. */
export async function voidStaleReservations(pool: pg.Pool): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await pool.query<{ voided: number }>('select void_stale_reservations($1, $2, $3) as voided', [
      INSTANCE_LOCK,
      SLICE,
      limits.reservationSeconds,
    ])
    const voidedCount = rows[0]?.voided ?? 0
    total += voidedCount
    if (voidedCount < SLICE) return total
  }
}

/**
 * Retries writes that the database could not accept, until they succeed. Lost with this process; other servers then give back its
 * reservations.
 */
export interface Retries {
  add(step: () => Promise<unknown>): void
}

const EVERY_MS = 1_000
/** Like `void_stale_reservations`, which gives them back later. */
const GIVE_UP_MS = limits.reservationSeconds * 1_000
/** Some MB; beyond it, the hourly job gives them back. */
const MOST = 10_000

interface Waiting {
  readonly step: () => Promise<unknown>
  readonly since: number
}

export function retries(): Retries {
  const waiting: Waiting[] = []
  let working = false

  async function work(): Promise<void> {
    working = true
    while (waiting.length > 0) {
      await sleep(EVERY_MS, undefined, { ref: false })
      await tryAll()
    }
    working = false
  }
  /** Runs up to the first failure, which moves to the end: if it fails for a reason of its own, it does not block the others. */
  async function tryAll(): Promise<void> {
    for (let first = waiting.shift(); first; first = waiting.shift()) {
      const isDone = await first.step().then(
        () => true,
        () => false,
      )
      if (isDone) continue
      if (performance.now() - first.since < GIVE_UP_MS) waiting.push(first)
      return
    }
  }
  return {
    add(step) {
      if (waiting.length === MOST) return
      waiting.push({ step, since: performance.now() })
      if (!working) void work()
    },
  }
}
