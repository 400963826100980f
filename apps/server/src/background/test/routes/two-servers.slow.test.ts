import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { removalTotals } from '../../../../test/support/account-totals.ts'
import { makeAccount, makeLogin } from '../../../../test/support/accounts.ts'
import { removeBackground, studio } from '../../../../test/support/background-call.ts'
import { TARGETS } from '../../../../test/support/database-targets.ts'
import { serverOn } from '../../../../test/support/server-on.ts'
import type { PlanName } from '../../../contract/plans.ts'

const LIMIT = 5
const settings = { BG_MONTHLY_LIMIT: `team=${LIMIT}`, BURST_PER_MINUTE: '0' }
const { server, database, another } = await serverOn(TARGETS[0], { after }, settings)
/** The last test kills it. */
const dying = await another()

const picture = await studio(60, 40).png().toBuffer()
const remove = (token: string, image = picture, url = server.url) => removeBackground(url, token, image)

async function person(plan: PlanName) {
  const account = await makeAccount(database, plan)
  return { ...account, token: await makeLogin(database, account.id) }
}
const removalsOf = (id: string) => removalTotals(database, id)

test('of thirty calls at once on two servers as many are answered as there are removals', async () => {
  const servers = [server, dying]
  const { id, key, token } = await person('team')
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => remove(n % 3 ? key : token, picture, servers[n % 2]?.url ?? '')),
  )
  const statuses = Map.groupBy(answers, ({ status }) => status)
  assert.deepEqual([statuses.get(200)?.length, statuses.get(429)?.length], [LIMIT, 30 - LIMIT])
  const { removals, held, calls } = await removalsOf(id)
  assert.deepEqual([removals, held], [LIMIT, 0])
  assert.ok(calls <= LIMIT && calls >= 0)
})

test('removals and calls that a killed server had reserved are refunded when another server starts', async () => {
  const large = await photo(4_000, 3_000).jpeg({ quality: 60 }).toBuffer()
  const { id, key, token } = await person('team')
  const cut = Promise.allSettled([key, token].map((by) => remove(by, large, dying.url)))
  assert.ok(await until(async () => (await removalsOf(id)).held === 3), 'two removals and a call are held')
  await dying.stop('SIGKILL')
  assert.ok((await cut).every(({ status }) => status === 'rejected'))
  // A server that starts refunds them before it listens.
  await another()
  assert.ok(await until(async () => (await removalsOf(id)).held === 0))
  assert.deepEqual(await removalsOf(id), { removals: 0, calls: 0, held: 0, reserved: 0 })
})
