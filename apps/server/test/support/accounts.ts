import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { makeApiKey, saveApiKey } from '../../src/accounts/api-keys.ts'
import type { PlanName } from '../../src/contract/plans.ts'
import { type Database, openDatabase } from '../../src/database/database.ts'
import { socketFolder } from '../../src/database/embedded/address.ts'

/** Direct access to the embedded database of a running server. */
export const openServerDatabase = async (dir: string): Promise<Database> =>
  openDatabase({ socketDir: socketFolder(dir) }, (error) => {
    throw error
  })

/** An account may deliver from every folder of the operator. */
const GRANTED = { delivery_places: ['/'] }

/**
 * An account of a plan, with a key.
 * @param columns further ones, if not GRANTED
 */
export async function makeAccount(
  { kysely }: Database,
  plan: PlanName,
  columns: Partial<typeof GRANTED> = GRANTED,
): Promise<{ readonly id: string; readonly key: string }> {
  const key = makeApiKey()
  const values = { email: `${key.slice(3, 20).toLowerCase()}@example.com`, password_hash: '-', plan, ...columns }
  const { id } = await kysely.insertInto('account').values(values).returning('id').executeTakeFirstOrThrow()
  await saveApiKey(kysely, id, 'test', key)
  return { id, key }
}

/** Grants an account credits; returns its balance. */
export async function grant({ pool }: Database, account: string, credits: number): Promise<number> {
  const { rows } = await pool.query<{ balance: number }>(`select add_credits($1, 'grant', $2, $3) as balance`, [
    account,
    credits,
    randomUUID(),
  ])
  return rows[0]?.balance ?? 0
}

/** Calls charged to all accounts so far, this month or any. */
export async function chargedCalls({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ used: number }>('select coalesce(sum(used), 0)::int as used from usage_month')
  return rows[0]?.used ?? 0
}

/** A session of an account, as if it had signed in with its password. */
export async function makeLogin({ pool }: Database, accountId: string): Promise<string> {
  const token = `at_${randomBytes(32).toString('base64url')}`
  const hash = createHash('sha256').update(token).digest()
  await pool.query(
    `insert into login_token (account_id, hash, expires_at) values ($1, $2, clock_timestamp() + interval '1 hour')`,
    [accountId, hash],
  )
  return token
}
