import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import Stripe from 'stripe'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { signatureOf } from '../../../test/support/stripe-events.ts'
import { keyVault, parseKeySecrets } from '../../ai/key-vault.ts'
import { readWebhookEvent } from '../../billing/webhook-event.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { migrate } from '../../database/migrate.ts'
import { linesWith, noTools, runLines } from './page.ts'

const outside = TARGETS.find(({ name }) => name === 'DATABASE_URL') ?? assert.fail('there is one')

const as = (address: string, user: string, password: string): string =>
  Object.assign(new URL(address), { username: user, password }).href

test('a second user of the database takes the place of the first while both work', {
  skip: outside.skip || noTools,
}, async (t) => {
  const target = await outside.start(t)
  const ADMIN_DATABASE_URL = 'url' in target ? target.url : assert.fail('it has an address')
  const admin = await openDatabase({ url: ADMIN_DATABASE_URL }, () => {})
  const OLD_USER = `old_${process.pid}`
  const NEW_USER = `new_${process.pid}`
  const password = randomBytes(9).toString('base64url')
  const { rows } = await admin.pool.query<{ name: string }>('select current_database() as name')
  await admin.pool.query(
    `create role ${OLD_USER} login password '${password}'; alter database ${rows[0]?.name} owner to ${OLD_USER}`,
  )
  const before = await openDatabase({ url: as(ADMIN_DATABASE_URL, OLD_USER, password) }, () => {})
  await migrate(before)
  await runLines(linesWith('create role'), { ADMIN_DATABASE_URL, OLD_USER, NEW_USER, NEW_PASSWORD: password })
  const after = await openDatabase({ url: as(ADMIN_DATABASE_URL, NEW_USER, password) }, () => {})
  const use = async (database: Database) => grant(database, (await makeAccount(database, 'free')).id, 5)
  assert.deepEqual(await Promise.all([use(before), use(after)]), [5, 5])
  // What a new version does.
  await after.pool.query('create table later (id int primary key); alter table account add column later int')
  assert.equal(await use(before), 5)
  const owners = await admin.pool.query(`select distinct tableowner from pg_tables where schemaname = 'public'`)
  assert.deepEqual(owners.rows, [{ tableowner: OLD_USER }])
  await before.close()
  await admin.pool.query(`alter role ${OLD_USER} nologin`)
  assert.equal(await use(after), 5)
  await after.close()
  await admin.pool.query(`reassign owned by ${OLD_USER} to current_user; drop role ${NEW_USER}; drop role ${OLD_USER}`)
  await admin.close()
})

test('while Stripe signs with two secrets, a server that has either takes the event', () => {
  const stripe = new Stripe('sk_test_1')
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'charge.refunded', livemode: false, data: { object: {} } })
  const old = 'whsec_old'
  const fresh = 'whsec_new'
  // One time for both, also where a second ends in between.
  const now = Date.now()
  const [first, second] = [fresh, old].map((secret) => signatureOf(body, secret, 0, now)) as [string, string]
  const both = `${first},${second.split(',').slice(1).join(',')}`
  assert.match(both, /^t=\d+,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/)
  for (const secret of [old, fresh]) assert.equal(readWebhookEvent(stripe, secret, Buffer.from(body), both).id, 'evt_1')
  assert.throws(() => readWebhookEvent(stripe, 'whsec_other', Buffer.from(body), both))
})

test('in each step of changing AI_KEY_ENCRYPTION_SECRET, servers of this step and the one before read what either wrote', () => {
  const old = randomBytes(24).toString('base64')
  const fresh = randomBytes(24).toString('base64')
  const steps = [old, `1:${old},2:${fresh}`, `2:${fresh},1:${old}`]
  const vaults = steps.map((text) => keyVault(parseKeySecrets(text)))
  for (const [step, vault] of vaults.entries()) {
    const earlier = vaults[step - 1] ?? vault
    assert.equal(vault.decrypt('a', earlier.encrypt('a', 'key')), 'key')
    assert.equal(earlier.decrypt('a', vault.encrypt('a', 'key')), 'key')
  }
})
