import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { startServer } from '../../../test/support/server.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

test('a server that stops writes the usage events that it has not written yet', async () => {
  await using other = await startServer({ LOG_LEVEL: 'error' })
  const { id, key } = await openServerDatabase(other.dir).then(async (db) => {
    const account = await makeAccount(db, 'team')
    await db.close()
    return account
  })
  await Promise.all(Array.from({ length: 20 }, () => caller({ url: other.url, key }).post('convert', {}, { image })))
  assert.equal((await other.stop()).code, 0)
  await using again = await startServer({ DATA_DIR: other.dir })
  const db = await openServerDatabase(again.dir)
  const { rows } = await db.pool.query('select count(*)::int as events from usage_event where account_id = $1', [id])
  await db.close()
  assert.equal(rows[0].events, 20)
})
