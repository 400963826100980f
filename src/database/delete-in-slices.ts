import type pg from 'pg'

/** Rows in one transaction, so that none is long and locks little. */
const SLICE = 5_000

/** `old` compares with now(), which an index can be asked for; clock_timestamp() would be asked anew at every row of the table. */
export const sliceOf = (table: string, old: string): string =>
  `delete from ${table} where ctid = any(array(select ctid from ${table} where ${old} limit ${SLICE}))`

/** Deletes the rows of a table that are `old`, a condition in SQL, a slice at a time. Returns how many. */
export async function deleteInSlices(pool: pg.Pool, table: string, old: string): Promise<number> {
  for (let total = 0; ; ) {
    const { rowCount } = await pool.query(sliceOf(table, old))
    total += rowCount ?? 0
    if ((rowCount ?? 0) < SLICE) return total
  }
}
