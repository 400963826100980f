import type pg from 'pg'

/** Another process may bring tables up to date meanwhile: longer than a request's statements may take. */
const PATIENCE = '30min'

/**
 * Does something while no other process on this database does what has the same number: an advisory lock, on a connection of
 * the pool's beside those that `act` needs.
 */
export async function inTurn<Result>(pool: pg.Pool, lock: number, act: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query(`select set_config('statement_timeout', $1, false)`, [PATIENCE])
    await client.query('select pg_advisory_lock($1)', [lock])
    return await act()
  } finally {
    // Its end frees the lock, and nobody meets its patience.
    client.release(true)
  }
}
