import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { startServer } from '../../../test/support/server.ts'
import { openDatabase } from '../../database/database.ts'
import { socketFolder } from '../../database/embedded/address.ts'

const image = await solid(8, 8, '#123456').png().toBuffer()

for (const { name: kind, skip, start } of TARGETS) {
  for (const plan of ['team', 'free'] as const) {
    test(`${kind}: a ${plan} call whose server is killed between charge and answer is given back at the next start, once`, {
      skip,
    }, async (t) => {
      const target = kind === 'DATABASE_URL' ? await start(t) : undefined
      const dir = await mkdtemp(join(tmpdir(), 'pixelmill-test-'))
      t.after(() => rm(dir, { recursive: true, force: true }))
      const settings = { DATA_DIR: dir, RENDERERS: '1', ...(target && 'url' in target && { DATABASE_URL: target.url }) }
      const killedServer = await startServer(settings)
      const database = await openDatabase(target ?? { socketDir: socketFolder(dir) }, () => {})
      const { id, key } = await makeAccount(database, plan)
      await grant(database, id, 5)
      const chargedCallCount = async () => {
        const { used, credits } = await accountTotals(database, id)
        return plan === 'team' ? used : 5 - credits
      }
      const { status } = await caller({ url: killedServer.url, key }).post('convert', { format: 'webp' }, { image })
      assert.deepEqual([status, await chargedCallCount()], [200, 1])

      // Admitted by its headers; its charge then waits for a lock, and is booked while the server stands still.
      const boundary = randomUUID()
      const call = request(`${killedServer.url}/api/v1/convert`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': `multipart/form-data; boundary=${boundary}` },
      })
      const cut = once(call, 'error')
      call.flushHeaders()
      assert.ok(await until(async () => (await accountTotals(database, id)).open === 1))
      const holder = await database.connect()
      await holder.query('begin')
      await holder.query('select from reservation where account_id = $1 for update', [id])
      const part = (head: string) => `--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`
      call.write(`${part('name="format"')}webp\r\n${part('name="image"; filename="a.png"')}`)
      call.write(image)
      call.end(`\r\n--${boundary}--\r\n`)
      const waits = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%charge_call(%' and datname = current_database()`
      assert.ok(await until(async () => (await database.pool.query(waits)).rowCount === 1))
      killedServer.child.kill('SIGSTOP')
      await holder.query('commit')
      await holder.end()
      assert.ok(await until(async () => (await accountTotals(database, id)).open === 0))
      assert.equal(await chargedCallCount(), 2)
      await database.close()
      await killedServer.stop('SIGKILL')
      await cut

      for (const starts of [1, 2]) {
        const server = await startServer(settings)
        const after = await openDatabase(target ?? { socketDir: socketFolder(dir) }, () => {})
        const chargedAfter = async () => {
          const { used, credits } = await accountTotals(after, id)
          return plan === 'team' ? used : 5 - credits
        }
        assert.ok(
          await until(async () => (await chargedAfter()) === 1),
          `after ${starts} starts ${await chargedAfter()} are charged`,
        )
        if (starts === 1) assert.match(server.output(), /charged and never answered/)
        await after.close()
        await server.stop()
      }
    })
  }
}
