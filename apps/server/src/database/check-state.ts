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
export async function checkState(db: Kysely<Schema>, knownTexts: Migrations): Promise<void> {
  const tables = await readTables(db)
  if (!hasRecord(tables)) return refuseStrangers(tables)
  const doneTexts = await readRecord(db)
  refuseUnreleased(doneTexts, knownTexts)
  refuseNewer(doneTexts, knownTexts)
  refuseGap(doneTexts, knownTexts)
  refuseHalf(tables, doneTexts, knownTexts)
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

function refuseUnreleased(doneTexts: readonly string[], knownTexts: Migrations): void {
  const [first] = doneTexts
  const [firstKnown] = knownTexts.keys()
  if (first === undefined || firstKnown === undefined || doneTexts.includes(firstKnown)) return
  throw new StartError(
    `The database was made before the first release of Pixelmill (its first migration is ${first}), and no release can read it: start with a new DATA_DIR or an empty database, or start the commit that made it. Nothing was changed.`,
  )
}

function refuseNewer(doneTexts: readonly string[], knownTexts: Migrations): void {
  const unknownText = doneTexts.find((name) => !knownTexts.has(name))
  if (unknownText === undefined) return
  const advice = 'start that version, or restore a backup from before the upgrade'
  throw new StartError(`The database was made by a newer version of Pixelmill (it has migration ${unknownText}): ${advice}.`)
}

/** Migrations run in the order of their names: one that was skipped would never run. */
function refuseGap(doneTexts: readonly string[], knownTexts: Migrations): void {
  const missing = [...knownTexts.keys()].slice(0, doneTexts.length).find((name) => !doneTexts.includes(name))
  if (missing === undefined) return
  throw new StartError(
    `The database has migration ${doneTexts.at(-1)} and lacks ${missing}, which comes before it: another line of versions made it. Start a version of that line, or restore a backup from before it.`,
  )
}

const CREATED_OR_DROPPED = /^(create|drop) (?:unlogged )?table (\w+)/gm

/** The objects that the recorded migrations have created. */
function expectedTables(doneTexts: readonly string[], knownTexts: Migrations): ReadonlySet<string> {
  const expected = new Set<string>()
  for (const [, what, name = ''] of doneTexts.flatMap((migration) => [
    ...(knownTexts.get(migration) ?? '').matchAll(CREATED_OR_DROPPED),
  ])) {
    if (what === 'create') expected.add(name)
    else expected.delete(name)
  }
  return expected
}

/** Without its primary keys a table would silently accept duplicates. */
function refuseHalf(tables: readonly Table[], doneTexts: readonly string[], knownTexts: Migrations): void {
  const keyedTexts = new Set(tables.filter((table) => table.keyed).map(({ name }) => name))
  const lostText = [...expectedTables(doneTexts, knownTexts)].find((name) => !keyedTexts.has(name))
  if (lostText === undefined) return
  const what = tables.some(({ name }) => name === lostText)
    ? `its table ${lostText} has no primary key`
    : `it lacks its table ${lostText}`
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
