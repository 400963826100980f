import { makeApiKey, saveApiKey } from '../../src/accounts/api-keys.ts'
import type { Database } from '../../src/database/database.ts'

const NAME = '<script>alert(1)</script> of a laptop with a very long name indeed'

const MONTH = `date_trunc('month', now() at time zone 'utc')::date`

/**
 * A thousand calls: every eleventh asks a model, every seventh and every 97th of the others fails, a third is made with a key.
 */
const EVENTS = `
  insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at,
                           ai, provider, model, images, input_tokens, output_tokens)
  select gen_random_uuid(), $1, case when n % 3 = 0 then $2::uuid end,
         case when n % 11 = 0 then '/v1/ai/alt-text'
              else (array['/api/v1/convert', '/api/v1/resize', '/api/background-remove', '/api/v2/batch'])[1 + n % 4] end,
         case when n % 11 = 0 then 200 when n % 7 = 0 then 400 when n % 97 = 0 then 500 else 200 end,
         case when n % 11 = 0 then null when n % 7 = 0 then 'invalid_image_type' when n % 97 = 0 then 'conversion_failed' end,
         123456 * (1 + n % 50), case when n % 7 = 0 then 0 else 45678 * (1 + n % 30) end, 30 + n * 7 % 4000,
         clock_timestamp() - n * interval '7 minutes',
         a.ai, case when a.ai then 'platform' end, case when a.ai then 'qwen2.5vl' end, case when a.ai then 1 end,
         case when a.ai then 1200 end, case when a.ai then 80 end
    from generate_series(1, 1000) n, lateral (select n % 11 = 0 as ai) a`

const DAYS = `
  insert into usage_day (account_id, day, endpoint, calls, input_bytes, output_bytes)
  select $1, d::date, e, 40 + (extract(day from d)::int * 37 + length(e) * 11) % 190,
         40000000 + (extract(day from d)::int * 37000000) % 90000000, 30000000 + (extract(day from d)::int * 11000000) % 50000000
    from generate_series(${MONTH}, now() at time zone 'utc', interval '1 day') d,
         unnest(array['/api/v1/convert', '/api/v1/resize', '/api/v1/optimize', '/api/background-remove', '/api/v2/batch']) e`

/** Usage of a Team account that was active on every day of this month so far. */
export async function busyMonth({ kysely, pool }: Database, account: string): Promise<void> {
  const key = await saveApiKey(kysely, account, NAME, makeApiKey())
  await pool.query(`update account set plan = 'team' where id = $1`, [account])
  await pool.query(EVENTS, [account, key])
  await pool.query(DAYS, [account])
  await pool.query(
    `insert into usage_month (account_id, month, used) select $1, ${MONTH}, sum(calls) from usage_day where account_id = $1`,
    [account],
  )
  await pool.query(`insert into background_month (account_id, month, used) values ($1, ${MONTH}, 37)`, [account])
}
