import type pg from 'pg'
import { deleteInSlices } from '../database/delete-in-slices.ts'

/** Statistics of an account. What its months and days have used stays until it is old: calls under way are given back to them. */
const USAGE = ['usage_event', 'usage_day', 'ai_usage_day'] as const

/**
 * Removes what a deleted account leaves: keys, secrets, batches, usage. Returns the ids of the batches, whose files go soon after
 * (`removeFiles`). May be repeated, and done by several at once.
 */
export async function clearAccount(pool: pg.Pool, id: string): Promise<readonly string[]> {
  const { rows } = await pool.query<{ batches: readonly string[] }>('select clear_account($1) as batches', [id])
  for (const table of USAGE) await deleteInSlices(pool, table, `account_id = '${id}'::uuid`)
  return rows[0]?.batches ?? []
}

/**
 * {@link clearAccount} for every account that was deleted, until what was under way then is over: an upload takes 50 minutes at
 * most, and a reservation is given back after an hour. Returns how many are cleared for good.
 * @throws AggregateError of those that failed, after all others were cleared
 */
export async function clearDeletedAccounts(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from account where deleted_at is not null and cleared_at is null order by deleted_at',
  )
  const errors: unknown[] = []
  for (const { id } of rows) await clearAccount(pool, id).catch((error: unknown) => errors.push([id, error]))
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deleted accounts could not be cleared: ${errors[0]}`)
  const { rowCount } = await pool.query(
    `update account set cleared_at = clock_timestamp()
      where id = any($1) and deleted_at < clock_timestamp() - interval '2 hours'`,
    [rows.map(({ id }) => id)],
  )
  return rowCount ?? 0
}
