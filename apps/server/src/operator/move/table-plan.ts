import { StartError } from '@pixelmill/codecs/contract/start-error'
import type pg from 'pg'

/** A table to copy. */
export interface CopiedTable {
  readonly name: string
  /** In order, without computed columns. */
  readonly columns: readonly string[]
}

/** Tables that migrations fill; these are not copied. */
const REGISTERS = ['kysely_migration', 'applied_functions']

const COLUMNS = `
  select c.relname as name, array_agg(quote_ident(a.attname) order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> all ($1)
   group by c.relname order by c.relname`

const REFERENCES = `
  select conrelid::regclass::text as name, confrelid::regclass::text as needs
    from pg_constraint where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid <> confrelid`

/** The tables of a database, each after those that its rows refer to. */
export async function tablePlan(connection: pg.ClientBase): Promise<readonly CopiedTable[]> {
  const { rows: tables } = await connection.query<CopiedTable>(COLUMNS.replace('array_agg(', 'json_agg('), [REGISTERS])
  const { rows: references } = await connection.query<{ name: string; needs: string }>(REFERENCES)
  const plannedTables: CopiedTable[] = []
  // Each iteration adds at least one table, or there is a circular reference.
  for (let rest = tables; rest.length > 0; ) {
    const waits = ({ name }: CopiedTable) =>
      references.some((one) => one.name === name && rest.some((table) => table.name === one.needs))
    const ready = rest.filter((table) => !waits(table))
    if (ready.length === 0) throw new Error(`tables refer to each other in a circle: ${rest.map(({ name }) => name)}`)
    plannedTables.push(...ready)
    rest = rest.filter(waits)
  }
  return plannedTables
}

/** @throws StartError when two databases differ in tables, columns or their order */
export function refuseDifferent(from: readonly CopiedTable[], to: readonly CopiedTable[]): void {
  const describeTables = (tables: readonly CopiedTable[]) =>
    tables
      .map(({ name, columns }) => `${name} (${columns.join(', ')})`)
      .sort()
      .join('\n')
  if (describeTables(from) !== describeTables(to))
    throw new StartError('The two databases have different tables: start this version once on the old one, and move then.')
}
