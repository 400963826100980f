import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartError } from '../../src/contract/start-error.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { findMismatches } from '../../src/metering/ledger.ts'
import { voidStaleReservations } from '../../src/metering/reservations.ts'
import { catalogOf } from '../support/catalog.ts'
import { TARGETS } from './targets.ts'

/** A database as 0.1.0 left it, with rows of each kind. */
const DUMP = readFileSync(join(import.meta.dirname, 'fixtures/0.1.0.sql'), 'utf8')

const TEAM = '00000000-0000-4000-8000-000000000001'

async function restore({ connect }: Database): Promise<void> {
  const connection = await connect()
  await connection.query(DUMP).finally(() => connection.end())
}

/** Rows of the tables that the upgrade leaves alone; what is null is left out, since later migrations add columns. */
async function keptRows({ pool }: Database): Promise<Readonly<Record<string, unknown>>> {
  const kept = [
    'api_key',
    'batch',
    'batch_item',
    'credit_entry',
    'usage_event',
    'usage_day',
    'webhook_delivery',
    'webhook_attempt',
    'purchase',
  ]
  const rows = async (table: string) =>
    [table, (await pool.query(`select jsonb_strip_nulls(to_jsonb(t)) as row from ${table} t order by 1`)).rows] as const
  return Object.fromEntries(await Promise.all(kept.map(rows)))
}

/** What runs on both, after their tables are those of the first migration. */
const LATER = [
  '0002_batch_targets',
  '0003_recipes',
  '0004_source_features',
  '0005_sources',
  '0006_batch_groups',
  '0007_uploads',
  '0008_delivery_grants',
  'functions',
]

for (const { name, skip, start } of TARGETS) {
  test(`${name}: a database of 0.1.0 gets the schema of a new one and keeps its data`, { skip }, async (t) => {
    const [fresh, old] = [await openDatabase(await start(t), assert.ifError), await openDatabase(await start(t), assert.ifError)]
    await restore(old)
    const before = await keptRows(old)
    assert.deepEqual(await migrate(fresh), ['0001_schema', ...LATER])
    assert.deepEqual(await migrate(old), ['upgrades/0.1.0', ...LATER])
    assert.deepEqual(await migrate(old), [])
    const [expected, found] = [await catalogOf(fresh), await catalogOf(old)]
    for (const kind of Object.keys(expected) as (keyof typeof expected)[]) assert.deepEqual(found[kind], expected[kind], kind)
    assert.ok(expected.functions.length > 50 && expected.tables.length > 50)

    assert.deepEqual(await keptRows(old), before)
    assert.deepEqual(await findMismatches(old), [])
    const { rows: reserved } = await old.pool.query(
      'select meter, period is null as credits, cost, server from reservation order by meter, credits, server',
    )
    assert.deepEqual(reserved, [
      { meter: 'ai_image', credits: false, cost: 5, server: 2 },
      { meter: 'call', credits: false, cost: 1, server: 1 },
      { meter: 'call', credits: false, cost: 2, server: null },
      { meter: 'call', credits: true, cost: 1, server: 1 },
      { meter: 'call', credits: true, cost: 1, server: 2 },
      { meter: 'removal', credits: false, cost: 1, server: 2 },
      { meter: 'removal', credits: false, cost: 1, server: 2 },
    ])
    const { rows: notes } = await old.pool.query(
      'select removals_month is not null as removal from settled_call order by removal',
    )
    assert.deepEqual(notes, [{ removal: false }, { removal: false }, { removal: true }])
    // Their servers are gone: all but the batch's calls is given back.
    assert.equal(await voidStaleReservations(old.pool), 5)
    assert.deepEqual(await findMismatches(old), [])
    const { rows } = await old.pool.query('select sum(used)::int as used from usage_month where account_id = $1', [TEAM])
    assert.deepEqual(rows, [{ used: 5 }])
    await Promise.all([fresh.close(), old.close()])
  })

  test(`${name}: the upgrade drops the schema of pg-boss, unless another program has queues there`, { skip }, async (t) => {
    for (const others of [[], ['invoices']]) {
      const database = await openDatabase(await start(t), assert.ifError)
      await restore(database)
      await database.pool.query('create schema pgboss; create table pgboss.queue (name text primary key)')
      const queues = ['housekeeping', 'remove-batch-files', '__pgboss__send-it', ...others]
      await database.pool.query('insert into pgboss.queue select unnest($1::text[])', [queues])
      await migrate(database)
      const { rows } = await database.pool.query(`select to_regnamespace('pgboss') is not null as kept`)
      assert.deepEqual(rows, [{ kept: others.length > 0 }])
      await database.close()
    }
  })

  test(`${name}: a database of an unfinished 0.1.0, or with servers of 0.1.0 at work, is refused and left alone`, {
    skip,
  }, async (t) => {
    const database = await openDatabase(await start(t), assert.ifError)
    await restore(database)
    const before = await catalogOf(database)
    const server = await database.connect()
    await server.query('select pg_advisory_lock(7312002, 2)')
    const refusal = (words: RegExp) => (error: unknown) => error instanceof StartError && words.test(error.message)
    await assert.rejects(migrate(database), refusal(/Servers of 0\.1\.0 are at work on this database \(1\)/))
    await server.end()
    await database.pool.query(`delete from kysely_migration where name = '0034_settled_calls'`)
    await assert.rejects(migrate(database), refusal(/before 0\.1\.0 was complete \(its latest migration is 0033_bytes_of_days\)/))
    assert.deepEqual(await catalogOf(database), before)
    await database.close()
  })

  test(`${name}: functions are made again when they have changed, and never by an older release`, { skip }, async (t) => {
    const database = await openDatabase(await start(t), assert.ifError)
    await migrate(database)
    const before = await catalogOf(database)
    await database.pool.query(`create or replace function leave_files(of_batch uuid) returns void language sql as 'select'`)
    await database.pool.query(`update applied_functions set hash = 'of another text'`)
    assert.deepEqual(await migrate(database), ['functions'])
    assert.deepEqual(await catalogOf(database), before)
    await database.pool.query(`update applied_functions set hash = 'of another text', release = '99.10.0'`)
    await assert.rejects(migrate(database), /newer version of Pixelmill \(it has the functions of 99\.10\.0\)/)
    await database.close()
  })
}

test('each file of a function has the function of its name', () => {
  const folder = join(import.meta.dirname, '../../src/database/functions')
  for (const file of readdirSync(folder)) {
    const [, name] = /^create or replace function (\w+)\(/m.exec(readFileSync(join(folder, file), 'utf8')) ?? []
    assert.equal(`${name}.sql`, file)
  }
})
