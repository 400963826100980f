import { readdir } from 'node:fs/promises'
import type pg from 'pg'
import { type BegunFolder, pathOf, readIds, removeFile, serverOf } from './begun-file.ts'
import { PRESENCE_LOCK } from './presence.ts'

/**
 * Gives back the calls that servers which are gone had charged and not begun to answer, once, by the files that those servers left in
 * the folder. Returns how many.
 */
export async function refundUnbegun(pool: pg.Pool, place: BegunFolder): Promise<number> {
  let total = 0
  for (const name of await readdir(place.folder)) {
    const server = serverOf(place, name)
    if (server === undefined || !(await isGone(pool, server))) continue
    total += await refundOf(pool, place, server)
  }
  return total
}

/** Asked before the file is read: of a server that lives it may grow behind our back. */
async function isGone(pool: pg.Pool, server: number): Promise<boolean> {
  const { rows } = await pool.query<{ gone: boolean }>('select pg_try_advisory_xact_lock_shared($1, $2) as gone', [
    PRESENCE_LOCK,
    server,
  ])
  return rows[0]?.gone === true
}

async function refundOf(pool: pg.Pool, place: BegunFolder, server: number): Promise<number> {
  const path = pathOf(place, server)
  const begun = await readIds(path).catch((error: NodeJS.ErrnoException) => {
    // Another server that shares the folder was first.
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (begun === undefined) return 0
  const { rows } = await pool.query<{ refunded: number | null }>('select refund_unbegun($1, $2, $3) as refunded', [
    PRESENCE_LOCK,
    server,
    begun,
  ])
  const refunded = rows[0]?.refunded ?? null
  if (refunded === null) return 0
  removeFile(path)
  return refunded
}

/** Deletes notes of calls that nothing is known of any more: their server's file was lost, or is on another machine. */
export async function forgetSettledCalls(pool: pg.Pool): Promise<void> {
  await pool.query(`delete from settled_call where at < clock_timestamp() - interval '1 hour'`)
}
