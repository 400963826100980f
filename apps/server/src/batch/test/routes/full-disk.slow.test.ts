import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { mountSmallDisk, noSmallDisk } from 'pixelmill/test/support/small-disk'
import { accountTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, openServerDatabase } from '../../../../test/support/accounts.ts'
import { filesOf, startBatch, untilEnded, zipOf } from '../../../../test/support/batch-call.ts'
import { startServer } from '../../../../test/support/server.ts'

test('an archive for which the disk has no space is refused, and uses none', {
  skip: skipByDay || noSmallDisk(),
  timeout: 120_000,
}, async (t) => {
  const disk = mountSmallDisk(320)
  t.after(disk.remove)
  await using server = await startServer({ DATA_DIR: join(disk.path, 'data'), RENDERERS: '1' })
  await using database = await openServerDatabase(server.dir).then((openedDatabase) => ({
    ...openedDatabase,
    [Symbol.asyncDispose]: openedDatabase.close,
  }))
  const { id, key } = await makeAccount(database, 'team')
  const own = { ...server, key }
  for (let attempt = 0; attempt < 2; attempt++) {
    const { status, error, headers } = await startBatch(own, Buffer.alloc(250 * 2 ** 20))
    assert.deepEqual([status, error?.statusMessage], [503, 'storage_full'])
    assert.ok(Number(headers.get('retry-after')) >= 1)
    assert.doesNotMatch(error?.message ?? '', /blobs|ENOSPC|MiB/)
    assert.deepEqual(await filesOf(server.dir), [])
    const { used, open } = await accountTotals(database, id)
    assert.deepEqual([used, open], [0, 0])
  }
  const image = await solid(20, 20, '#123456').png().toBuffer()
  const { batch } = await startBatch(own, zipOf({ 'a.png': image }))
  assert.equal((await untilEnded(own, batch.id)).status, 'completed')
})
