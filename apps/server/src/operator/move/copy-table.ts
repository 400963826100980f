import type pg from 'pg'
import type { CopiedTable } from './table-plan.ts'

/** Bytes in one statement, as stored; a single stored answer may have some mebibytes. */
const BATCH_BYTES = 2 * 1024 * 1024
const MOST_ROWS = 5_000

/**
 * Copies a table's rows in PostgreSQL's own text format, which loses nothing between versions. Both connections are in a
 * transaction.
 * Returns the number of rows.
 */
export async function copyTable(from: pg.ClientBase, to: pg.ClientBase, { name, columns }: CopiedTable): Promise<number> {
  const rows = await rowsAtOnce(from, name, columns)
  const insert = `
    insert into ${name} (${columns.join(', ')}) overriding system value
    select ${columns.map((column) => `(copied.line).${column}`).join(', ')}
      from (select line::${name} from unnest($1::text[]) as sent (line) offset 0) as copied`
  await from.query(`declare copying no scroll cursor for select (whole.*)::text as line from ${name} as whole`)
  let copiedCount = 0
  for (let more = true; more; ) {
    const { rows: lines } = await from.query<{ line: string }>(`fetch ${rows} from copying`)
    if (lines.length > 0) await to.query(insert, [lines.map(({ line }) => line)])
    copiedCount += lines.length
    more = lines.length === rows
  }
  await from.query('close copying')
  return copiedCount
}

/** By the largest row, so that the largest stored answers are not copied together. */
async function rowsAtOnce(from: pg.ClientBase, name: string, columns: readonly string[]): Promise<number> {
  const bytes = columns.map((column) => `coalesce(pg_column_size(${column}), 0)`).join(' + ')
  const { rows } = await from.query<{ largest: number | null }>(`select max(${bytes}) as largest from ${name}`)
  return Math.max(1, Math.min(MOST_ROWS, Math.floor(BATCH_BYTES / (rows[0]?.largest ?? BATCH_BYTES))))
}
