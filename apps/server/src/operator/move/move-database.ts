import { StartError } from '@pixelmill/codecs/contract/start-error'
import type pg from 'pg'
import type { Database } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { findMismatches } from '../../metering/ledger.ts'
import { copyTable } from './copy-table.ts'
import { type CopiedTable, refuseDifferent, tablePlan } from './table-plan.ts'

export interface Moved {
  readonly tables: number
  readonly rows: number
}

/**
 * Copies a whole database into an empty one, in one transaction of each: all of it or nothing.
 * Returns undefined if it was done before.
 * @throws StartError if the other has accounts already, or is of another version
 */
export async function moveDatabase(source: Database, target: Database): Promise<Moved | undefined> {
  await migrate(target)
  await using openedStack = new AsyncDisposableStack()
  const from = await begin(source, openedStack)
  const to = await begin(target, openedStack)
  await from.query('set transaction isolation level repeatable read read only')
  if (!(await isEmpty(to))) {
    if ((await installationOf(from)) === (await installationOf(to))) return undefined
    throw new StartError('The database at DATABASE_URL has accounts of another installation: make an empty one, and name that.')
  }
  const plan = await tablePlan(from)
  refuseDifferent(plan, await tablePlan(to))
  const rows = await copyAll(from, to, plan)
  await copySequences(from, to)
  await to.query('commit')
  const wrong = await findMismatches(target)
  if (wrong.length > 0)
    throw new StartError(
      `The credits of ${wrong.length} accounts are not what their ledger says, in both databases: ask for help.`,
    )
  return { tables: plan.length, rows }
}

async function begin(database: Database, openedStack: AsyncDisposableStack): Promise<pg.Client> {
  const client = await database.connect()
  // Also ends a transaction that was not committed.
  openedStack.defer(() => client.end())
  await client.query('set statement_timeout = 0')
  await client.query('set idle_in_transaction_session_timeout = 0')
  await client.query('begin')
  return client
}

async function isEmpty(to: pg.ClientBase): Promise<boolean> {
  const { rowCount } = await to.query('select from account limit 1')
  return rowCount === 0
}

async function installationOf(db: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await db.query<{ id: string }>('select id from installation')
  return rows[0]?.id
}

/** @throws Error if a table has a different number of rows after copying, which would be a bug */
async function copyAll(from: pg.ClientBase, to: pg.ClientBase, plan: readonly CopiedTable[]): Promise<number> {
  const count = async (db: pg.ClientBase, name: string) =>
    (await db.query<{ rows: number }>(`select count(*) as rows from ${name}`)).rows[0]?.rows ?? 0
  // Rows that migrations have inserted; of an append-only log, none.
  for (const { name } of plan.toReversed()) if ((await count(to, name)) > 0) await to.query(`delete from ${name}`)
  let total = 0
  for (const table of plan) {
    const copiedCount = await copyTable(from, to, table)
    const before = await count(from, table.name)
    const after = await count(to, table.name)
    if (copiedCount !== before || copiedCount !== after)
      throw new Error(`${table.name}: ${copiedCount} of ${before} rows copied, ${after} arrived`)
    total += copiedCount
  }
  return total
}

/** So that no number is assigned twice. */
async function copySequences(from: pg.ClientBase, to: pg.ClientBase): Promise<void> {
  const { rows: sequences } = await from.query<{ name: string }>(
    `select quote_ident(relname) as name from pg_class where relkind = 'S' and relnamespace = current_schema()::regnamespace`,
  )
  for (const { name } of sequences) {
    const { rows } = await from.query<{ last_value: number; is_called: boolean }>(`select last_value, is_called from ${name}`)
    const [at] = rows
    if (at) await to.query('select setval($1::regclass, $2, $3)', [name, at.last_value, at.is_called])
  }
}
