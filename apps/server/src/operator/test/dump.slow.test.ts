import assert from 'node:assert/strict'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { getResult, startBatch, untilEnded } from '../../../test/support/batch-call.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { run, startServer } from '../../../test/support/server.ts'
import { openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { archive } from './archive.ts'
import { linesWith, noTools, runLines } from './page.ts'
import { keepConverting, paidCalls } from './traffic.ts'

const outside = TARGETS.find(({ name }) => name === 'DATABASE_URL') ?? assert.fail('there is one')
const skip = outside.skip || noTools
const MIGRATIONS = join(import.meta.dirname, '../../../migrations')
const CREDITS = 10_000

type Test = Parameters<typeof outside.start>[0]

async function emptyDatabase(t: Test): Promise<string> {
  const target = await outside.start(t)
  return 'url' in target ? target.url : assert.fail('it has an address')
}

/** By the lines of the page. Returns the dump's file. */
async function dump(DATABASE_URL: string, BACKUPS: string): Promise<string> {
  await runLines(linesWith('pg_dump --format=custom'), { DATABASE_URL, BACKUPS })
  return join(
    BACKUPS,
    (await readdir(BACKUPS)).find((name) => /^pixelmill-\d{8}T\d{6}Z\.dump$/.test(name)) ?? assert.fail('no dump'),
  )
}

const restore = (DUMP: string, NEW_DATABASE_URL: string) => runLines(linesWith('pg_restore'), { DUMP, NEW_DATABASE_URL })

async function refusal(settings: Readonly<Record<string, string>>): Promise<string> {
  const { exited, output } = run({ LOG_LEVEL: 'silent', RENDERERS: '1', ...settings })
  assert.equal((await exited).code, 1, output())
  return output()
}

const convert = async (at: { readonly url: string; readonly key: string }) =>
  (await caller(at).post('convert', { format: 'png' }, { image: await photo(60, 40).jpeg().toBuffer() })).status

test('a dump taken at work is restored: books add up, keys work, batches go on beside their files', { skip }, async (t) => {
  const folder = await tempFolder(t)
  const DATABASE_URL = await emptyDatabase(t)
  const restoredText = await emptyDatabase(t)
  const fresh = await emptyDatabase(t)
  await using server = await startServer({ RENDERERS: '1', DATABASE_URL })
  const database = await openDatabase({ url: DATABASE_URL }, () => {})
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, CREDITS)
  const traffic = await keepConverting({ url: server.url, key })
  const { batch } = await startBatch(server, await archive(40), { format: 'avif' })
  const before = traffic.acknowledged()
  const file = await dump(DATABASE_URL, folder)
  await traffic.stop()
  await server.stop('SIGKILL')
  await database.close()
  await restore(file, restoredText)

  const settings = { RENDERERS: '1', DATA_DIR: server.dir, ADMIN_API_KEY: server.key }
  assert.match(await refusal({ ...settings, DATABASE_URL: fresh }), /belongs to another database: set DATABASE_URL to that one/)
  await using again = await startServer({ ...settings, DATABASE_URL: restoredText })
  const doneBody = await untilEnded(again, batch.id)
  assert.deepEqual(
    [doneBody.status, doneBody.progress.succeeded, (await getResult(again, batch.id)).status],
    ['completed', 40, 200],
  )
  const foundDatabase = await openDatabase({ url: restoredText }, () => {})
  const paidCount = await paidCalls(foundDatabase, id, CREDITS)
  assert.ok(paidCount >= before && paidCount <= traffic.acknowledged(), `${paidCount} of ${before} to ${traffic.acknowledged()}`)
  assert.equal(await convert({ url: again.url, key }), 200)
  await foundDatabase.close()
  await again.stop()

  await runLines(linesWith('update installation'), { NEW_DATABASE_URL: restoredText })
  assert.match(
    await refusal({ ...settings, DATABASE_URL: restoredText }),
    /belongs to another database/,
    'a copy keeps off the files',
  )
})

test('a server goes on while a newer version changes the tables under it, and cannot start on them again', {
  skip,
}, async (t) => {
  const folder = await tempFolder(t)
  const DATABASE_URL = await emptyDatabase(t)
  await using server = await startServer({ RENDERERS: '1', DATABASE_URL, ADMIN_EMAIL: 'ada@example.com' })
  const traffic = await keepConverting(server)
  await cp(MIGRATIONS, folder, { recursive: true })
  // What the rule of the page allows.
  await writeFile(
    join(folder, '9999_later.sql'),
    `create table later (id int primary key);
     alter table account add column later int not null default 0;
     alter table batch_item add column later text;`,
  )
  const database = await openDatabase({ url: DATABASE_URL }, () => {})
  assert.deepEqual(await migrate(database, { folder }), ['9999_later'])
  const { batch } = await startBatch(server, await archive(3), { format: 'webp' })
  assert.equal((await untilEnded(server, batch.id)).status, 'completed')
  await traffic.stop()
  assert.match(await refusal({ DATABASE_URL, DATA_DIR: server.dir }), /made by a newer version .* 9999_later/)
  assert.equal(await convert(server), 200)
  await database.close()
})
