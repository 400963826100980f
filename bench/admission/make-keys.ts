import { randomUUID } from 'node:crypto'
import { makeApiKey, saveApiKey } from '../../src/accounts/api-keys.ts'
import type { PlanName } from '../../src/contract/plans.ts'
import type { Database } from '../../src/database/database.ts'

/** So many accounts with a key and a million credits each; the keys. */
export async function makeKeys({ kysely, pool }: Database, count: number, plan: PlanName): Promise<readonly string[]> {
  const keys = Array.from({ length: count }, makeApiKey)
  for (const key of keys) {
    const values = { email: `${randomUUID()}@example.com`, password_hash: '-', plan }
    const { id } = await kysely.insertInto('account').values(values).returning('id').executeTakeFirstOrThrow()
    await saveApiKey(kysely, id, 'bench', key)
    await pool.query(`select add_credits($1, 'grant', 1000000, $2)`, [id, randomUUID()])
  }
  return keys
}
