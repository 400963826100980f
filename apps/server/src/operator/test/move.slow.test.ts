import assert from 'node:assert/strict'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { grant, makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { getResult, startBatch, untilEnded } from '../../../test/support/batch-call.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { bucketOnServer, noServer } from '../../../test/support/s3-server.ts'
import { startServer } from '../../../test/support/server.ts'
import { tableContents } from '../../../test/support/table-contents.ts'
import type { DatabaseTarget } from '../../database/database.ts'
import { openDatabase } from '../../database/database.ts'
import { startEmbedded } from '../../database/embedded/server.ts'
import { archive } from './archive.ts'
import { command } from './command.ts'
import { paidCalls } from './traffic.ts'

const outside = TARGETS.find(({ name }) => name === 'DATABASE_URL') ?? assert.fail('there is one')
const skip = skipByDay || outside.skip || noServer
const urlOf = (target: DatabaseTarget) => ('url' in target ? target.url : assert.fail('it has an address'))

const CREDITS = 100

/** Of a data folder whose server is stopped. */
async function contentsOf(dataDir: string) {
  const embeddedValue = await startEmbedded({ dataDir, onLog: () => {} })
  const database = await openDatabase(embeddedValue, () => {})
  const contents = await tableContents(database)
  await database.close()
  await embeddedValue.stop()
  return contents
}

test('everything in a data folder moves to DATABASE_URL and a bucket, and goes on there', { skip }, async (t) => {
  const { location } = await bucketOnServer(t)
  const DATABASE_URL = urlOf(await outside.start(t))
  const bucket = {
    S3_BUCKET: location.bucket,
    S3_ENDPOINT: location.endpoint ?? '',
    S3_ACCESS_KEY_ID: location.accessKeyId,
    S3_SECRET_ACCESS_KEY: location.secretAccessKey,
  }
  await using server = await startServer({ RENDERERS: '1' })
  const database = await openServerDatabase(server.dir)
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, CREDITS)
  const image = await photo(60, 40).jpeg().toBuffer()
  const convert = async (url: string) => (await caller({ url, key }).post('convert', { format: 'png' }, { image })).status
  for (let call = 0; call < 5; call++) assert.equal(await convert(server.url), 200)
  // A kept answer, with bytes and characters of every kind.
  await database.pool.query(`update account set name = E'\\\\ "(,)'' \\n é ∅' where id = $1`, [id])
  const doneValue = await startBatch(server, await archive(3), { format: 'png' })
  await untilEnded(server, doneValue.batch.id)
  const { batch } = await startBatch(server, await archive(40), { format: 'avif' })
  await database.close()

  const settings = { DATA_DIR: server.dir, DATABASE_URL, ...bucket }
  const early = await command('move', [], settings)
  assert.deepEqual([early.code, /^The server is running: stop it first/.test(early.output)], [1, true], early.output)
  await server.stop()
  const before = await contentsOf(server.dir)
  const movedValue = await command('move', [], settings)
  assert.equal(movedValue.code, 0, movedValue.output)
  assert.match(movedValue.output, /^database: \d+ rows of \d+ tables, .*\nfiles: \d{1,2} copied/)
  const target = await openDatabase({ url: DATABASE_URL }, () => {})
  const { kysely_migration: _, ...after } = await tableContents(target)
  const { kysely_migration: __, ...expected } = before
  assert.deepEqual(after, expected)
  const again = await command('move', [], settings)
  assert.match(again.output, /nothing was copied\nfiles: 0 copied/)

  await using cluster = await startServer({ RENDERERS: '1', ADMIN_API_KEY: server.key, DATABASE_URL, ...bucket })
  const finishedBody = await untilEnded(cluster, batch.id)
  assert.deepEqual([finishedBody.status, finishedBody.progress.succeeded], ['completed', 40])
  for (const one of [batch, doneValue.batch]) assert.equal((await getResult(cluster, one.id)).status, 200)
  assert.equal(await convert(cluster.url), 200)
  assert.equal(await paidCalls(target, id, CREDITS), 6)
  assert.equal(await grant(target, id, 1), CREDITS - 5, 'entries of the ledger go on after the last')
  await target.close()
})

test('a database that is in use is not moved into', { skip: outside.skip }, async (t) => {
  const DATABASE_URL = urlOf(await outside.start(t))
  await using other = await startServer({ RENDERERS: '1', DATABASE_URL })
  await using server = await startServer({ RENDERERS: '1' })
  await server.stop()
  const { code, output } = await command('move', [], { DATA_DIR: server.dir, DATABASE_URL })
  assert.deepEqual([code, /^The database at DATABASE_URL has accounts of another installation/.test(output)], [1, true], output)
  assert.equal((await fetch(`${other.url}/readyz`)).status, 200)
})
