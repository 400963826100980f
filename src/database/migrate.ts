import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { StartError } from '../contract/start-error.ts'
import { checkState, type Migrations, readMigrations } from './check-state.ts'
import type { Database } from './database.ts'
import type { Schema } from './schema.ts'

const MIGRATIONS = join(import.meta.dirname, '../../migrations')

/** Bounds the wait for another server's migration as well as our own; a request's 10 s would be too short for either. */
const STATEMENT_TIMEOUT = '30min'

/** How migrations meet a service that is at work. */
export interface Patience {
  /** Longest wait for a table's lock: so long does everybody else who needs that table wait behind it. */
  readonly lockMs: number
  /** Between two tries, for those who waited. */
  readonly pauseMs: number
  readonly tries: number
  /** Hears of each try but the last that met locks of others. */
  onWait(tries: number): void
}

/** A dump holds every table for as long as it takes: about half an hour is waited for its end. */
const PATIENCE: Patience = { lockMs: 3_000, pauseMs: 7_000, tries: 180, onWait() {} }

/**
 * Brings the tables up to date, all or nothing, and returns the names of the migrations it ran. Servers that start
 * together take turns: Kysely holds an advisory lock meanwhile.
 * @throws StartError when the tables are not ours, not whole, or changed by a newer version already; when they cannot be locked
 */
export async function migrate(
  database: Database,
  { folder = MIGRATIONS, ...patience }: Partial<Patience> & { readonly folder?: string } = {},
): Promise<readonly string[]> {
  const known = await readMigrations(folder)
  const { lockMs, pauseMs, tries, onWait } = { ...PATIENCE, ...patience }
  for (let tried = 1; ; tried++) {
    const run = await database.kysely.connection().execute((connection) => runOn(connection, known, lockMs))
    if (run !== LOCKED) return run
    if (tried >= tries) throw locked()
    onWait(tried)
    await sleep(pauseMs)
  }
}

const LOCKED = Symbol('locked by others')

const locked = () =>
  new StartError(
    'The tables cannot be changed while others hold them: end the dump or the long transaction (select * from pg_stat_activity), and start again.',
  )

async function runOn(db: Kysely<Schema>, known: Migrations, lockMs: number): Promise<readonly string[] | typeof LOCKED> {
  await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, false),
                   set_config('lock_timeout', ${`${lockMs}ms`}, false)`.execute(db)
  try {
    await checkState(db, known)
    return await migrateOn(db, known)
  } finally {
    await sql`reset statement_timeout`.execute(db)
    await sql`reset lock_timeout`.execute(db)
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
/** lock_not_available, and deadlock_detected: between us and a request, who each hold a table that the other needs. */
const MET_LOCKS: readonly unknown[] = ['55P03', '40P01']

async function migrateOn(db: Kysely<Schema>, known: Migrations): Promise<readonly string[] | typeof LOCKED> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => runnable(known) } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map((result) => result.migrationName)
  const { code, message } = error as { code?: string; message: string }
  if (MET_LOCKS.includes(code)) return LOCKED
  if (code === INSUFFICIENT_PRIVILEGE) {
    throw new StartError(
      `The database user may not make tables (${message}): make the user of DATABASE_URL the database's owner.`,
    )
  }
  // Of a newer version that started together with this one; Kysely's own complaint has no code.
  await checkState(db, known)
  const failed = results.find((result) => result.status === 'Error')
  throw new Error(`Migration ${failed?.migrationName ?? 'of the database'} failed`, { cause: error })
}

/** Without parameters, so `pg` sends each file as one simple query, which may hold many statements. */
function runnable(migrations: Migrations): Record<string, Migration> {
  const up = (text: string) => async (transaction: Kysely<unknown>) => void (await sql.raw(text).execute(transaction))
  return Object.fromEntries([...migrations].map(([name, text]) => [name, { up: up(text) }]))
}
