import assert from 'node:assert/strict'
import { cp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../migrations')

/** What a database may be in place of one that can be used: made from one with our tables, or from an empty one. */
const states: readonly (readonly [state: string, from: 'ours' | 'empty', sql: string, words: RegExp])[] = [
  ['of a newer version', 'ours', `insert into kysely_migration values ('9999_later', now())`, /newer version .* 9999_later/],
  [
    'of an unreleased version',
    'ours',
    `update kysely_migration set name = '0001_schema' where name like '0001%'`,
    /before the first release .* \(its first migration is 0001_schema\).* new DATA_DIR or an empty database/,
  ],
  ['of another line', 'ours', `delete from kysely_migration where name = '0002_later'`, /lacks 0002_later, which comes before/],
  [
    "something else's",
    'empty',
    'create table article (id int primary key)',
    /has tables \(article\) .* set DATABASE_URL to an empty/,
  ],
  ['restored without its register', 'ours', 'drop table kysely_migration', /no record of .*pg_restore --single-transaction/],
  ['restored without a table', 'ours', 'drop table webhook_turn', /not whole \(it lacks its table webhook_turn\)/],
  ['restored up to its keys', 'ours', 'alter table usage_day drop constraint usage_day_pkey', /usage_day has no primary key/],
]

const everything = async ({ pool }: Database) =>
  (await pool.query('select relname, relkind from pg_class where relnamespace = current_schema()::regnamespace order by 1')).rows

for (const target of TARGETS) {
  test(`${target.name}: a database that is not ours, or not whole, is refused in one line and left alone`, {
    skip: target.skip,
  }, async (t) => {
    const folder = await tempFolder(t)
    await cp(MIGRATIONS, folder, { recursive: true })
    await writeFile(join(folder, '0002_later.sql'), 'create table later (id int primary key);')
    await writeFile(join(folder, '0003_latest.sql'), 'create table latest (id int primary key);')
    const database = await openDatabase(await target.start(t), assert.ifError)
    for (const [state, from, sql, words] of states) {
      await database.pool.query('drop schema public cascade; create schema public')
      if (from === 'ours') await migrate(database, { folder })
      await database.pool.query(sql)
      const before = await everything(database)
      const refusedValue = await migrate(database, { folder }).catch((error: unknown) => error)
      assert.ok(refusedValue instanceof StartError, `${state}: ${refusedValue}`)
      assert.match(refusedValue.message, words, state)
      assert.doesNotMatch(refusedValue.message, /\n/)
      assert.deepEqual(await everything(database), before, state)
    }
    await database.close()
  })

  test(`${target.name}: what extensions bring is nobody's data`, { skip: target.skip }, async (t) => {
    const database = await openDatabase(await target.start(t), assert.ifError)
    await database.pool.query('create table place (id int)')
    // As `create extension` notes it of every table that it makes.
    await database.pool.query(`insert into pg_depend select 'pg_class'::regclass, 'place'::regclass, 0, 'pg_extension'::regclass,
      (select oid from pg_extension limit 1), 0, 'e'`)
    assert.ok((await migrate(database)).length > 0)
    await database.close()
  })

  test(`${target.name}: a migration waits for a dump without keeping requests waiting behind it`, {
    skip: target.skip,
  }, async (t) => {
    const database = await openDatabase(await target.start(t), assert.ifError)
    await migrate(database)
    const folder = await tempFolder(t)
    await cp(MIGRATIONS, folder, { recursive: true })
    await writeFile(join(folder, '9999_later.sql'), 'alter table account add column later int;')
    const dump = await database.connect()
    await dump.query('begin')
    await dump.query('lock table account in access share mode')
    let waits = 0
    const patience = { folder, lockMs: 200, pauseMs: 100, tries: 1_000, onWait: () => void waits++ }
    const migratedTexts = migrate(database, patience)
    // Each of these would wait for the end of the dump if the migration stood in line for good.
    for (let askedCount = 0; waits < 3; askedCount++) {
      await database.pool.query('select from account')
      assert.ok(askedCount < 1_000)
      await sleep(20)
    }
    await assert.rejects(migrate(database, { ...patience, tries: 2 }), /end the dump or the long transaction/)
    await dump.query('commit')
    assert.deepEqual(await migratedTexts, ['9999_later'])
    assert.equal((await database.pool.query('show lock_timeout')).rows[0].lock_timeout, '0')
    await dump.end()
    await database.close()
  })
}
