import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { INSTANCE_LOCK } from './instance.ts'

/** `void_stale_reservations()` takes as many at once, so that no transaction is long. */
const SLICE = 1_000

/** Gives back the reservations of servers that are gone, and those older than an hour. Returns how many. */
export async function voidStaleReservations(pool: pg.Pool): Promise<number> {
  for (let total = 0; ; ) {
    const { rows } = await pool.query<{ voided: number }>('select void_stale_reservations($1, $2) as voided', [
      INSTANCE_LOCK,
      SLICE,
    ])
    const voided = rows[0]?.voided ?? 0
    total += voided
    if (voided < SLICE) return total
  }
}

/** What the database could not take, asked of it again, until it does. Gone with this process, whose reservations others then give back. */
export interface Retries {
  add(step: () => Promise<unknown>): void
}

const EVERY_MS = 1_000
/** Like `void_stale_reservations`, which has done it by then. */
const GIVE_UP_MS = 3_600_000
/** Some MB; beyond, it is left to the hour. */
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
  /** Up to the first failure, which goes behind the others: should it fail for a reason of its own, it holds up none. */
  async function tryAll(): Promise<void> {
    for (let first = waiting.shift(); first; first = waiting.shift()) {
      const done = await first.step().then(
        () => true,
        () => false,
      )
      if (done) continue
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
