import type { Database } from '../../src/database/database.ts'

/** The schema of a database without its rows: each statement lists one kind of object by name and definition. */
const kinds = {
  tables: `select relname, relkind, relpersistence, reloptions from pg_class where relnamespace = 'public'::regnamespace order by 1`,
  columns: `select c.relname, a.attname, row_number() over (partition by c.oid order by a.attnum) as place, format_type(a.atttypid, a.atttypmod) as type,
                   a.attnotnull, a.attidentity, a.attgenerated, pg_get_expr(d.adbin, d.adrelid) as default
              from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
             where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped order by 1, 3`,
  // Since PostgreSQL 18 "not null" constraints have names too, which renaming does not change; the columns already show them.
  constraints: `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as definition from pg_constraint
                 where connamespace = 'public'::regnamespace and contype <> 'n' order by 1, 2`,
  indexes: `select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
  sequences: `select sequencename, data_type::text, start_value, increment_by from pg_sequences where schemaname = 'public' order by 1`,
  functions: `select proname, pg_get_functiondef(oid) as definition from pg_proc where pronamespace = 'public'::regnamespace order by 1, 2`,
  triggers: `select tgname, pg_get_triggerdef(oid) as definition from pg_trigger where not tgisinternal order by 1`,
} as const

export type Catalog = Readonly<Record<keyof typeof kinds, readonly unknown[]>>

export async function catalogOf({ pool }: Database): Promise<Catalog> {
  const read = async (kind: keyof typeof kinds) => [kind, (await pool.query(kinds[kind])).rows] as const
  return Object.fromEntries(await Promise.all((Object.keys(kinds) as (keyof typeof kinds)[]).map(read))) as unknown as Catalog
}
