import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { grant, makeAccount } from '../../../test/support/accounts.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { serverOn } from '../../../test/support/server-on.ts'
import { ledgerStatements } from '../ledger.ts'

interface Page {
  readonly data: readonly {
    readonly id: number
    readonly kind: string
    readonly credits: number
    readonly purchase?: { readonly packageId: string; readonly price: { readonly amount: number; readonly currency: string } }
  }[]
  readonly nextCursor: string | null
}

const { server, database } = await serverOn(TARGETS[0], { after })
const { pool } = database

async function list(key: string, query: string): Promise<Page> {
  const answer = await fetch(`${server.url}/api/v2/credits/ledger?${query}`, { headers: { authorization: `Bearer ${key}` } })
  return (await answer.json()) as Page
}

async function everyPage(key: string, query: string): Promise<Page['data']> {
  const data: Page['data'][number][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Page = await list(key, `${query}${cursor && `&cursor=${cursor}`}`)
    data.push(...page.data)
    cursor = page.nextCursor
  }
  return data
}

/** Buys a package, and loses a third of it. */
async function buy(account: string): Promise<void> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into purchase (account_id, package_id, credits, amount, currency, status, paid_at)
     values ($1, 'starter', 1000, 900, 'usd', 'paid', now()) returning id`,
    [account],
  )
  const id = rows[0]?.id
  await pool.query(`select add_credits($1, 'purchase', 1000, $2), add_credits($1, 'purchase_refund', -333, $3)`, [
    account,
    id,
    `${id}:333`,
  ])
}

const spend = (account: string, calls: number) =>
  pool.query(`select add_credits($1, 'call', -1, $2 || n) from generate_series(1, $3::int) n`, [account, randomUUID(), calls])

test('every page together is every entry once; purchases say what was bought, and calls can be left out', async () => {
  const { id, key } = await makeAccount(database, 'free')
  await grant(database, id, 100)
  await spend(id, 60)
  await buy(id)
  await spend(id, 40)
  const all = await everyPage(key, 'limit=7')
  assert.equal(all.length, 103)
  assert.deepEqual(
    all.map((entry) => entry.id),
    [...new Set(all.map((entry) => entry.id))].toSorted((one, other) => other - one),
  )
  const purchase = { packageId: 'starter', price: { amount: 900, currency: 'usd' } }
  const boughtValues = await everyPage(key, 'only=bought&limit=2')
  assert.deepEqual(
    boughtValues.map(({ kind, credits, purchase }) => ({ kind, credits, ...(purchase && { purchase }) })),
    [
      { kind: 'purchase_refund', credits: -333, purchase },
      { kind: 'purchase', credits: 1_000, purchase },
      { kind: 'grant', credits: 100 },
    ],
  )
})

test('nobody lists the ledger of another account', async () => {
  const one = await makeAccount(database, 'free')
  const other = await makeAccount(database, 'team')
  await grant(database, one.id, 5)
  for (const query of ['', 'only=bought']) assert.deepEqual(await list(other.key, query), { data: [], nextCursor: null })
})

test('neither list reads more of a large ledger than it shows', async () => {
  const busy = await makeAccount(database, 'free')
  const other = await makeAccount(database, 'free')
  await grant(database, busy.id, 20_000)
  await pool.query(
    `insert into credit_entry (account_id, kind, credits, balance, reference)
     select ($1::uuid[])[1 + n % 2], 'call', -1, 0, 'many ' || n from generate_series(1, 20000) n`,
    [[busy.id, other.id]],
  )
  await pool.query('analyze credit_entry')
  const planOf = async (statement: string) => {
    const text = statement.replaceAll('$1', `'${busy.id}'`).replaceAll('$2', '9223372036854775807').replaceAll('$3', '51')
    return (await pool.query(`explain ${text}`)).rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  assert.match(await planOf(ledgerStatements.all), /Limit[\s\S]*Index Scan Backward using credit_entry_account/)
  assert.match(await planOf(ledgerStatements.bought), /using credit_entry_bought/)
})
