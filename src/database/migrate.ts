import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartError } from '../contract/start-error.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Bounds the wait for another server's migration as well as our own; a request's 10 s would be too short for either. */
const STATEMENT_TIMEOUT = '30min'

/**
 * Brings the tables up to date, all or nothing, and returns the names of the migrations it ran. Servers that start
 * together take turns: Kysely holds an advisory lock meanwhile.
 * @throws StartError when a newer version has already changed the tables.
 */
export async function migrate(database: Database, folder: string = MIGRATIONS): Promise<readonly string[]> {
  const known = await readMigrations(folder)
  return database.kysely.connection().execute(async (connection) => {
    await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, false)`.execute(connection)
    try {
      return await migrateOn(connection, known)
    } finally {
      await sql`reset statement_timeout`.execute(connection)
    }
  })
}

async function migrateOn(connection: Kysely<Schema>, known: Readonly<Record<string, Migration>>): Promise<readonly string[]> {
  const migrator = new Migrator({ db: connection, provider: { getMigrations: async () => ({ ...known }) } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error !== undefined) {
    await explain(error, connection, known)
    const failed = results.find((result) => result.status === 'Error')
    throw new Error(`Migration ${failed?.migrationName ?? 'of the database'} failed`, { cause: error })
  }
  return results.map((result) => result.migrationName)
}

const INSUFFICIENT_PRIVILEGE = '42501'

/** Throws a StartError where the operator can mend it; Kysely's own complaint about unknown migrations has no code. */
async function explain(error: unknown, connection: Kysely<Schema>, known: Readonly<Record<string, Migration>>): Promise<void> {
  const { code, message } = error as { code?: string; message: string }
  if (code === INSUFFICIENT_PRIVILEGE) {
    throw new StartError(
      `The database user may not make tables (${message}): make the user of DATABASE_URL the database's owner.`,
    )
  }
  if (code !== undefined) return
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(connection)
  const unknown = rows.find((row) => !(row.name in known))
  if (!unknown) return
  const mend = 'start that version, or restore a backup from before the upgrade'
  throw new StartError(`The database was made by a newer version of Pixelmill (it has migration ${unknown.name}): ${mend}.`)
}

/** One migration for each `NNN-name.sql`, in the order of their names. */
async function readMigrations(folder: string): Promise<Readonly<Record<string, Migration>>> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql'))
  const migrations = await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      // Without parameters, so `pg` sends the file as one simple query, which may hold many statements.
      const up = async (transaction: Kysely<unknown>) => void (await sql.raw(text).execute(transaction))
      return [basename(file, '.sql'), { up }] as const
    }),
  )
  return Object.fromEntries(migrations)
}
