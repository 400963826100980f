import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

/** A table of the schema that does not belong to an extension. */
interface Table {
  readonly name: string
  /** A dump restores primary keys after the rows. */
  readonly keyed: boolean
}

const REGISTER = 'kysely_migration'

/**
 * Checks, without changing anything, that a database is empty, or a complete one of Pixelmill, of this version or an older one.
 * @throws StartError that says what is wrong and what to do
 */
export async function checkState(db: Kysely<Schema>, known: Migrations): Promise<void> {
  const tables = await readTables(db)
  if (!hasRecord(tables)) return refuseStrangers(tables)
  const done = await readRecord(db)
  refuseUnreleased(done, known)
  refuseNewer(done, known)
  refuseGap(done, known)
  refuseHalf(tables, done, known)
}

const hasRecord = (tables: readonly Table[]): boolean => tables.some(({ name }) => name === REGISTER)

/** The names of the migrations that ran, in order. */
export async function readRecord(db: Kysely<Schema>): Promise<readonly string[]> {
  if (!hasRecord(await readTables(db))) return []
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function readTables(db: Kysely<Schema>): Promise<readonly Table[]> {
  const { rows } = await sql<Table>`
    select c.relname as name, exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary) as keyed
      from pg_class c
     where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
       and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
     order by c.relname`.execute(db)
  return rows
}

const RESTORE = 'restore the backup into an empty database, with pg_restore --single-transaction'

function refuseStrangers(tables: readonly Table[]): void {
  const [first] = tables
  if (!first) return
  throw new StartError(
    `The database has tables (${first.name}) and no record of Pixelmill's migrations. If they are something else's, set DATABASE_URL to an empty database; if a restore stopped half-way, ${RESTORE}. Nothing was changed.`,
  )
}

function refuseUnreleased(done: readonly string[], known: Migrations): void {
  const [first] = done
  const [firstKnown] = known.keys()
  if (first === undefined || firstKnown === undefined || done.includes(firstKnown)) return
  throw new StartError(
    `The database was made before the first release of Pixelmill (its first migration is ${first}), and no release can read it: start with a new DATA_DIR or an empty database, or start the commit that made it. Nothing was changed.`,
  )
}

function refuseNewer(done: readonly string[], known: Migrations): void {
  const unknown = done.find((name) => !known.has(name))
  if (unknown === undefined) return
  const advice = 'start that version, or restore a backup from before the upgrade'
  throw new StartError(`The database was made by a newer version of Pixelmill (it has migration ${unknown}): ${advice}.`)
}

/** Migrations run in the order of their names: one that was skipped would never run. */
function refuseGap(done: readonly string[], known: Migrations): void {
  const missing = [...known.keys()].slice(0, done.length).find((name) => !done.includes(name))
  if (missing === undefined) return
  throw new StartError(
    `The database has migration ${done.at(-1)} and lacks ${missing}, which comes before it: another line of versions made it. Start a version of that line, or restore a backup from before it.`,
  )
}

const CREATED_OR_DROPPED = /^(create|drop) (?:unlogged )?table (\w+)/gm

/** The objects that the recorded migrations have created. */
function expectedTables(done: readonly string[], known: Migrations): ReadonlySet<string> {
  const expected = new Set<string>()
  for (const [, what, name = ''] of done.flatMap((migration) => [...(known.get(migration) ?? '').matchAll(CREATED_OR_DROPPED)])) {
    if (what === 'create') expected.add(name)
    else expected.delete(name)
  }
  return expected
}

/** Without its primary keys a table would silently accept duplicates. */
function refuseHalf(tables: readonly Table[], done: readonly string[], known: Migrations): void {
  const keyed = new Set(tables.filter((table) => table.keyed).map(({ name }) => name))
  const lost = [...expectedTables(done, known)].find((name) => !keyed.has(name))
  if (lost === undefined) return
  const what = tables.some(({ name }) => name === lost) ? `its table ${lost} has no primary key` : `it lacks its table ${lost}`
  throw new StartError(`The database is not whole (${what}), as after a restore that stopped half-way: ${RESTORE}.`)
}

/** The SQL of each migration by name, in the order in which they run. */
export type Migrations = ReadonlyMap<string, string>

/** One for each `NNNN_name.sql` of a folder. */
export async function readMigrations(folder: string): Promise<Migrations> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  const read = async (file: string) => [basename(file, '.sql'), await readFile(join(folder, file), 'utf8')] as const
  return new Map(await Promise.all(files.map(read)))
}
