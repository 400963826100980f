import assert from 'node:assert/strict'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import { openDatabase } from '../../database/database.ts'

const slow = await photo(3000, 2400).jpeg().toBuffer()
const [, target] = TARGETS

test('DATABASE_URL: of two servers one is killed: what it had reserved is given back, what the other renders is charged', {
  skip: target.skip,
}, async (t) => {
  const foundTarget = await target.start(t)
  assert.ok('url' in foundTarget)
  const settings = { DATABASE_URL: foundTarget.url, RENDERERS: '1' }
  const killedServer = await startServer(settings)
  const lives = await startServer(settings)
  const database = await openDatabase(foundTarget, () => {})
  const ofKilled = await makeAccount(database, 'free')
  const ofLiving = await makeAccount(database, 'free')
  for (const { id } of [ofKilled, ofLiving]) await grant(database, id, 10)
  const call = ({ url }: Server, { key }: { readonly key: string }) =>
    caller({ url, key }).post('convert', { format: 'avif' }, { image: slow })

  const cut = Promise.allSettled([1, 2, 3].map(() => call(killedServer, ofKilled)))
  const running = [call(lives, ofLiving), call(lives, ofLiving)]
  assert.ok(await until(async () => (await accountTotals(database, ofKilled.id)).open === 3))
  assert.ok(await until(async () => (await accountTotals(database, ofLiving.id)).open === 2))
  await killedServer.stop('SIGKILL')
  assert.ok((await cut).every(({ status }) => status === 'rejected'))
  // A new server looks before it listens, while the other is at work.
  const third = await startServer(settings)
  assert.deepEqual(await accountTotals(database, ofKilled.id), { credits: 10, reserved: 0, booked: 10, open: 0, used: 0 })
  assert.deepEqual(
    (await Promise.all(running)).map(({ status }) => status),
    [200, 200],
  )
  assert.deepEqual(await accountTotals(database, ofLiving.id), { credits: 8, reserved: 0, booked: 8, open: 0, used: 0 })
  await database.close()
  for (const server of [killedServer, lives, third]) await server[Symbol.asyncDispose]()
})
