import type pg from 'pg'

/** Rows in one transaction, so that each is short and locks little. */
const SLICE = 5_000

/** Compare with now() in `old`, which can use an index; clock_timestamp() would be evaluated for every row of the table. */
export const sliceOf = (table: string, old: string): string =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where ${old} limit ${SLICE}))`

/** Deletes the rows of a table that match `old`, a condition in SQL, in slices. Returns how many. */
export async function deleteInSlices(pool: pg.Pool, table: string, old: string): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await pool.query(sliceOf(table, old))
    total += rowCount ?? 0
    if ((rowCount ?? 0) < SLICE) return total
  }
}
