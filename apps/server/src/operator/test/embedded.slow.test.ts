import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { chargedCalls, grant, makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { getResult, startBatch, untilEnded } from '../../../test/support/batch-call.ts'
import { caller } from '../../../test/support/call.ts'
import { startServer } from '../../../test/support/server.ts'
import { archive } from './archive.ts'
import { command } from './command.ts'
import { keepConverting, paidCalls } from './traffic.ts'

const CREDITS = 10_000
const IMAGES = 8

const newest = async (folder: string) => join(folder, (await readdir(folder)).sort().at(-1) ?? assert.fail('there is no backup'))
const restore = (from: string, to: string) => execFileSync('cp', ['-a', from, to])
const checkSums = (folder: string) => execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder })

test('a back-up taken at work is a data folder: books add up, keys work, batches go on', async (t) => {
  const folder = await tempFolder(t)
  await using server = await startServer({ RENDERERS: '1' })
  const database = await openServerDatabase(server.dir)
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, CREDITS)
  const traffic = await keepConverting({ url: server.url, key })
  const { batch } = await startBatch(server, await archive(IMAGES), { format: 'webp' })
  const before = traffic.acknowledged()
  const backup = await command('backup', [join(folder, 'backups'), '--files'], { DATA_DIR: server.dir })
  await traffic.stop()
  assert.equal(backup.code, 0, backup.output)
  const after = traffic.acknowledged()
  assert.ok(after > before, 'calls were made meanwhile')
  await untilEnded(server, batch.id)
  await database.close()
  await server.stop()

  const copy = await newest(join(folder, 'backups'))
  checkSums(copy)
  restore(copy, join(folder, 'restored'))
  await using restoredServer = await startServer({
    RENDERERS: '1',
    DATA_DIR: join(folder, 'restored'),
    ADMIN_API_KEY: server.key,
  })
  const foundDatabase = await openServerDatabase(restoredServer.dir)
  const doneBody = await untilEnded(restoredServer, batch.id)
  assert.deepEqual([doneBody.status, (await getResult(restoredServer, batch.id)).status], ['completed', 200])
  const paidCount = await paidCalls(foundDatabase, id, CREDITS)
  assert.ok(paidCount >= before && paidCount <= after, `${paidCount} of ${before} to ${after}`)
  const image = await photo(40, 40).jpeg().toBuffer()
  assert.equal((await caller({ ...restoredServer, key }).post('convert', {}, { image })).status, 200)
  await foundDatabase.close()
})

test('without its files, a batch under way fails uncharged, and a result is gone', { skip: skipByDay }, async (t) => {
  const folder = await tempFolder(t)
  await using server = await startServer({ RENDERERS: '1' })
  const first = await startBatch(server, await archive(IMAGES), { format: 'png' })
  await untilEnded(server, first.batch.id)
  const { batch } = await startBatch(server, await archive(10 * IMAGES), { format: 'avif' })
  // At once, so that it cannot have ended.
  await server.stop('SIGKILL')
  const { code, output } = await command('backup', [folder], { DATA_DIR: server.dir })
  assert.equal(code, 0, output)
  restore(await newest(folder), join(folder, 'restored'))
  await using restoredServer = await startServer({
    RENDERERS: '1',
    DATA_DIR: join(folder, 'restored'),
    ADMIN_API_KEY: server.key,
  })
  const database = await openServerDatabase(restoredServer.dir)
  const lostBody = await untilEnded(restoredServer, batch.id)
  const usedCount = await chargedCalls(database)
  await database.close()
  assert.equal(usedCount, IMAGES, 'those of the batch that had ended, and nothing of the one that has failed')
  assert.ok(lostBody.status === 'failed' && lostBody.progress.succeeded < 10 * IMAGES, JSON.stringify(lostBody))
  assert.equal((await getResult(restoredServer, first.batch.id)).status, 410)
})

test('a server that is stopped, or was killed, is backed up as well; old ones go', { skip: skipByDay }, async (t) => {
  const folder = await tempFolder(t)
  const backups = join(folder, 'backups')
  await using server = await startServer({ RENDERERS: '1' })
  await server.stop('SIGKILL')
  const take = () => command('backup', [backups, '--keep', '2'], { DATA_DIR: server.dir })
  for (let takenCount = 0; takenCount < 3; takenCount++) assert.equal((await take()).code, 0)
  assert.equal((await readdir(backups)).length, 2)
  restore(await newest(backups), join(folder, 'restored'))
  await using restoredServer = await startServer({
    RENDERERS: '1',
    DATA_DIR: join(folder, 'restored'),
    ADMIN_API_KEY: server.key,
  })
  const image = await photo(40, 40).jpeg().toBuffer()
  assert.equal((await caller(restoredServer).post('convert', {}, { image })).status, 200)
})

const wrong: readonly (readonly [
  args: readonly string[],
  settings: Readonly<Record<string, string>>,
  code: number,
  words: RegExp,
])[] = [
  [[], {}, 2, /^Missing required argument 'folder'\.$/m],
  [['a', '--keep', '0'], {}, 2, /--keep <n>.* It must be a whole number from 1\./],
  [['a', '--everything'], {}, 2, /^Unknown option '--everything'\.$/m],
  [['a'], { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, 1, /^The database is at DATABASE_URL.* pg_dump/],
  [['a'], { DATA_DIR: 'nowhere' }, 1, /^There is no database in .*nowhere/],
]
for (const [args, settings, code, words] of wrong) {
  test(`${JSON.stringify({ args, settings })}: one clear line and exit code ${code}`, async (t) => {
    const folder = await tempFolder(t)
    const endedItems = await command(
      'backup',
      args.map((arg) => arg.replace(/^a$/, join(folder, 'a'))),
      { DATA_DIR: folder, ...settings },
    )
    assert.equal(endedItems.code, code, endedItems.output)
    assert.match(endedItems.output, words)
    assert.doesNotMatch(endedItems.output, /secret|\n\s+at /)
  })
}
