import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import { StartError } from '../contract/start-error.ts'
import type { Schema } from './schema.ts'

/** Upgrades the tables of 0.1.0 to those of 0001_schema. Afterwards the record of migrations contains 0001_schema. */
const UPGRADE = join(import.meta.dirname, '../../migrations/upgrades/0.1.0.sql')

/** The first and the last migration of 0.1.0, which had 28. */
const FIRST = '0001_accounts'
const LAST = '0034_settled_calls'

/** The first number of the advisory locks that live servers of 0.1.0 hold. */
const LIVE_SERVERS = 7_312_002

/** Whether this is a migration of 0.1.0, in the record of a database that 0.1.0 created. */
export const isOf010 = (name: string, record: readonly string[]): boolean => record.includes(FIRST) && name <= LAST

/**
 * Upgrades a database of 0.1.0 in the caller's transaction; returns whether it was one.
 * @throws StartError if an unfinished 0.1.0 created it, or servers of 0.1.0 are running on it
 */
export async function upgradeFrom010(db: Kysely<Schema>, record: readonly string[]): Promise<boolean> {
  if (!record.includes(FIRST)) return false
  if (!record.includes(LAST)) {
    throw new StartError(
      `The database was made by a version before 0.1.0 was complete (its latest migration is ${record.at(-1)}): start 0.1.0 with all of its migrations, up to ${LAST}, once, and then this version.`,
    )
  }
  await refuseLiveServers(db)
  await sql.raw(await readFile(UPGRADE, 'utf8')).execute(db)
  return true
}

/** Their statements call functions that the upgrade removes. */
async function refuseLiveServers(db: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ servers: number }>`
    select count(distinct objid)::int as servers from pg_locks
     where locktype = 'advisory' and granted and objsubid = 2 and classid = ${LIVE_SERVERS}
       and database = (select oid from pg_database where datname = current_database())`.execute(db)
  const servers = rows[0]?.servers ?? 0
  if (servers === 0) return
  throw new StartError(
    `Servers of 0.1.0 are at work on this database (${servers}), and cannot work beside this version: stop all of them, and start again.`,
  )
}
