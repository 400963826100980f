import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { type DatabaseTarget, openDatabase } from '../database.ts'
import { migrate } from '../migrate.ts'

const FIRST = `create table fruit (name text primary key);
create function ripe() returns text language sql as $$ select 'yes; indeed' $$;
insert into fruit values ('apple'), ('pear');`
const SECOND = `select pg_sleep(0.3); -- long enough for the others to queue up
alter table fruit add column weight int; insert into fruit values ('plum', 40);`

const open = (target: DatabaseTarget) => openDatabase(target, assert.ifError)

for (const target of TARGETS) {
  test(`${target.name}: the migrations of this repository run, and twice is once`, { skip: target.skip }, async (t) => {
    const database = await open(await target.start(t))
    assert.notDeepEqual(await migrate(database), [])
    assert.deepEqual(await migrate(database), [])
    const account = { email: 'ada@example.org', password_hash: '-', credits: 7 }
    const row = await database.kysely.insertInto('account').values(account).returningAll().executeTakeFirstOrThrow()
    assert.equal(row.credits, 7)
    assert.ok(row.created_at instanceof Date)
    await database.close()
  })

  test(`${target.name}: who may not make tables can start on those that are up to date`, { skip: target.skip }, async (t) => {
    const startedTarget = await target.start(t)
    const owner = await open(startedTarget)
    await migrate(owner)
    const { rows } = await owner.pool.query<{ name: string }>('select quote_ident(current_database()) as name')
    await owner.pool.query(`alter database ${rows[0]?.name} set role = 'pg_read_all_data'`)
    const reader = await open(startedTarget)
    await assert.rejects(reader.pool.query('create table fruit (name text)'), { code: '42501' })
    assert.deepEqual(await migrate(reader), [])
    await Promise.all([reader.close(), owner.close()])
  })

  test(`${target.name}: migrations run once, in order, each file whole`, { skip: target.skip }, async (t) => {
    const folder = await tempFolder(t)
    await writeFile(join(folder, '001-fruit.sql'), FIRST)
    await writeFile(join(folder, 'README.md'), 'not a migration')
    const database = await open(await target.start(t))
    assert.deepEqual(await migrate(database, { folder }), ['001-fruit'])
    await writeFile(join(folder, '002-weight.sql'), SECOND)
    assert.deepEqual(await migrate(database, { folder }), ['002-weight'])
    assert.deepEqual(await migrate(database, { folder }), [])
    assert.equal((await database.pool.query('select * from fruit')).rowCount, 3)
    assert.equal((await database.pool.query('show statement_timeout')).rows[0].statement_timeout, '10s')
    await database.close()
  })

  test(`${target.name}: three servers that start together migrate once`, { skip: target.skip }, async (t) => {
    const folder = await tempFolder(t)
    await writeFile(join(folder, '001-fruit.sql'), FIRST)
    await writeFile(join(folder, '002-weight.sql'), SECOND)
    const startedTarget = await target.start(t)
    const servers = await Promise.all([open(startedTarget), open(startedTarget), open(startedTarget)])
    const ran = await Promise.all(servers.map((server) => migrate(server, { folder })))
    assert.deepEqual(ran.flat(), ['001-fruit', '002-weight'])
    await Promise.all(servers.map((server) => server.close()))
  })

  test(`${target.name}: a failed migration leaves nothing, and a newer database is refused`, { skip: target.skip }, async (t) => {
    const folder = await tempFolder(t)
    await writeFile(join(folder, '001-fruit.sql'), FIRST)
    await writeFile(join(folder, '002-broken.sql'), 'create table half (id int); select 1/0;')
    const database = await open(await target.start(t))
    await assert.rejects(migrate(database, { folder }), { message: 'Migration 002-broken failed' })
    const { rows } = await database.pool.query("select to_regclass('half') as half, to_regclass('fruit') as fruit")
    assert.deepEqual(rows, [{ half: null, fruit: null }])
    await writeFile(join(folder, '002-broken.sql'), 'select 1')
    await migrate(database, { folder })
    const older = await tempFolder(t)
    await writeFile(join(older, '001-fruit.sql'), FIRST)
    const isRefusal = (error: unknown) =>
      error instanceof StartError && /newer version of Pixelmill.*002-broken/.test(error.message)
    await assert.rejects(migrate(database, { folder: older }), isRefusal)
    await database.close()
  })
}
