import type { Database } from '../../src/database/database.ts'

/** Tables that every admitted request writes, whatever its outcome. */
const WRITTEN_BY_ADMISSION = ['last_used_at']

/** Tables that any request writes, and those written by a timer. */
const RECORDS = ['usage_event', 'batch_watch', 'housekeeping_job', 'lost_look']

/** A digest of each table's rows, to detect changes. */
export async function tableContents({ pool }: Database): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> all ($1) order by 1`,
    [RECORDS],
  )
  const digests = tables.map(async ({ name }) => {
    const { rows } = await pool.query<{ digest: string }>(
      `select coalesce(md5(string_agg(row, ',' order by row)), '') as digest
         from (select (to_jsonb(t) - $1::text[])::text as row from "${name}" t) as contents`,
      [WRITTEN_BY_ADMISSION],
    )
    return [name, rows[0]?.digest ?? ''] as const
  })
  return Object.fromEntries(await Promise.all(digests))
}
