import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { ROOT } from '@pixelmill/codecs/installation'
import { type Kysely, sql, type Transaction } from 'kysely'
import { checkState, type Migrations, readMigrations, readRecord } from './check-state.ts'
import type { Database } from './database.ts'
import { applyFunctions } from './functions.ts'
import type { Schema } from './schema.ts'

const MIGRATIONS = join(ROOT, 'apps/server/migrations')

/** Limits the wait for another server's migration as well as our own; the 10 s of requests would be too short for either. */
const STATEMENT_TIMEOUT = '30min'

/** How migrations behave while the service is running. */
export interface Patience {
  /** Longest wait for a table's lock: all other users of that table wait behind it. */
  readonly lockMs: number
  /** Pause between two attempts, for those waiting. */
  readonly pauseMs: number
  readonly tries: number
  /** Called for each attempt except the last that was blocked by locks. */
  onWait(tries: number): void
}

/** A dump locks every table while it runs: waits up to half an hour for its end. */
const PATIENCE: Patience = { lockMs: 3_000, pauseMs: 7_000, tries: 180, onWait() {} }

/**
 * Brings tables and functions up to date in one transaction, and returns the names of the migrations that ran. Servers that
 * start at the same time are serialized by an advisory lock. With another folder of migrations, our functions are not created.
 * @throws StartError if the tables are foreign, incomplete, or changed by a newer version; or if they cannot be locked
 */
export async function migrate(
  database: Database,
  { folder = MIGRATIONS, ...patience }: Partial<Patience> & { readonly folder?: string } = {},
): Promise<readonly string[]> {
  const plan: Plan = { known: await readMigrations(folder), withFunctions: folder === MIGRATIONS }
  const { lockMs, pauseMs, tries, onWait } = { ...PATIENCE, ...patience }
  for (let triedCount = 1; ; triedCount++) {
    const run = await database.kysely.connection().execute((connection) => runOn(connection, plan, lockMs))
    if (run !== LOCKED) return run
    if (triedCount >= tries) throw lockError()
    onWait(triedCount)
    await sleep(pauseMs)
  }
}

interface Plan {
  readonly known: Migrations
  readonly withFunctions: boolean
}

const LOCKED = Symbol('locked by others')

const lockError = () =>
  new StartError(
    'The tables cannot be changed while others hold them: end the dump or the long transaction (select * from pg_stat_activity), and start again.',
  )

async function runOn(db: Kysely<Schema>, plan: Plan, lockMs: number): Promise<readonly string[] | typeof LOCKED> {
  await sql`select set_config('statement_timeout', ${STATEMENT_TIMEOUT}, false),
                   set_config('lock_timeout', ${`${lockMs}ms`}, false)`.execute(db)
  try {
    await checkState(db, plan.known)
    return await migrateOn(db, plan)
  } finally {
    await sql`reset statement_timeout`.execute(db)
    await sql`reset lock_timeout`.execute(db)
  }
}

const INSUFFICIENT_PRIVILEGE = '42501'
/** lock_not_available, and deadlock_detected: a request and the migration each hold a table that the other needs. */
const MET_LOCKS: readonly unknown[] = ['55P03', '40P01']

async function migrateOn(db: Kysely<Schema>, plan: Plan): Promise<readonly string[] | typeof LOCKED> {
  try {
    return await db.transaction().execute((transaction) => changeAll(transaction, plan))
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (MET_LOCKS.includes(code)) return LOCKED
    if (code !== INSUFFICIENT_PRIVILEGE) throw error
    throw new StartError(
      `The database user may not make tables (${message}): make the user of DATABASE_URL the database's owner.`,
    )
  }
}

/** Any number that no other lock uses: serializes servers and operators' commands that start at the same time. */
const MIGRATION_LOCK = 7_312_001

async function changeAll(transaction: Transaction<Schema>, { known, withFunctions }: Plan): Promise<readonly string[]> {
  await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction)
  // A newer version may have started at the same time.
  await checkState(transaction, known)
  const names = await runPending(transaction, known)
  const isChanged = withFunctions && (await applyFunctions(transaction))
  return [...names, ...(isChanged ? ['functions'] : [])]
}

/** Kysely's Migrator is not used: it sets a lock timeout of its own, and cannot release its lock in a failed transaction. */
async function runPending(transaction: Transaction<Schema>, knownTexts: Migrations): Promise<readonly string[]> {
  const doneTexts = await readRecord(transaction)
  const pending = [...knownTexts].filter(([name]) => !doneTexts.includes(name))
  // Once the tables are up to date, a server may start as a user that cannot create tables.
  if (pending.length === 0) return []
  await sql`create table if not exists kysely_migration (name text primary key, timestamp text not null)`.execute(transaction)
  for (const [name, text] of pending) {
    // Without parameters, so that `pg` sends each file as one simple query, which may contain many statements.
    await sql
      .raw(text)
      .execute(transaction)
      .catch((error) => Promise.reject(failureOf(name, error)))
    await sql`insert into kysely_migration (name, timestamp) values (${name}, ${new Date().toISOString()})`.execute(transaction)
  }
  return pending.map(([name]) => name)
}

/** PostgreSQL's own error if it says what to do. */
function failureOf(name: string, error: { readonly code?: string }): unknown {
  if (error.code === INSUFFICIENT_PRIVILEGE || MET_LOCKS.includes(error.code)) return error
  return new Error(`Migration ${name} failed`, { cause: error })
}
