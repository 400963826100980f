import { hashApiKey, makeApiKey } from 'pixelmill-server/accounts/api-keys'
import type { PlanName } from 'pixelmill-server/contract/plans'
import type { Database } from 'pixelmill-server/database/database'

/** Creates this many accounts with a key and a million credits each; returns the hashes of the keys. */
export async function makeKeys({ pool }: Database, count: number, plan: PlanName): Promise<readonly Buffer[]> {
  const hashes = Array.from({ length: count }, () => hashApiKey(makeApiKey()))
  await pool.query(
    `with made as (
       insert into account (email, password_hash, plan)
       select $2 || n || '@example.com', '-', $2 from generate_series(1, cardinality($1::bytea[])) n
       returning id
     ), numbered as (select id, row_number() over () as n from made)
     insert into api_key (account_id, name, hash, prefix, last_four)
     select id, 'bench', ($1::bytea[])[n], 'sk_', '' from numbered`,
    [hashes, plan],
  )
  await pool.query(`select add_credits(id, 'grant', 1000000, id::text) from account where plan = $1`, [plan])
  await pool.query('analyze')
  return hashes
}
