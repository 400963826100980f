import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeAccount, makeLogin } from '../../../test/support/accounts.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { serverOn } from '../../../test/support/server-on.ts'

interface Page {
  readonly data: readonly { readonly id: string; readonly status: number; readonly key?: string; readonly message?: string }[]
  readonly nextCursor: string | null
}

const { server, database } = await serverOn(TARGETS[0], { after })

async function list(token: string, query = ''): Promise<{ readonly status: number; readonly body: Page }> {
  const answer = await fetch(`${server.url}/api/v2/usage/calls${query}`, { headers: { authorization: `Bearer ${token}` } })
  return { status: answer.status, body: (await answer.json()) as Page }
}

async function everyPage(token: string, query: string): Promise<Page['data']> {
  const data: Page['data'][number][] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await list(token, `?${query}${cursor && `&cursor=${cursor}`}`)
    data.push(...body.data)
    cursor = body.nextCursor
  }
  return data
}

/** A thousand calls, every tenth of which failed, in groups of one and the same moment. */
async function thousandCalls(accountId: string): Promise<void> {
  await database.pool.query(
    `insert into usage_event (id, account_id, key_id, endpoint, status, status_message, input_bytes, output_bytes, duration_ms, at)
     select gen_random_uuid(), $1, (select id from api_key where account_id = $1), '/api/v1/convert',
            case when n % 10 = 0 then 400 else 200 end, case when n % 10 = 0 then 'invalid_image' end, 10, 5, 3,
            timestamptz '2026-01-02 03:04:05.678901+00' - (n / 7) * interval '1 microsecond'
       from generate_series(1, 1000) n`,
    [accountId],
  )
}

test('every page together is every call once, newest first; and so with those that failed', async () => {
  const { id, key } = await makeAccount(database, 'team')
  await thousandCalls(id)
  const all = await everyPage(key, 'limit=90')
  assert.deepEqual([all.length, new Set(all.map((call) => call.id)).size], [1_000, 1_000])
  const { rows } = await database.pool.query('select id from usage_event where account_id = $1 order by at desc, id desc', [id])
  assert.deepEqual(
    all.map((call) => call.id),
    rows.map((row) => row.id),
  )
  const failedValues = await everyPage(key, 'only=failed&limit=33')
  assert.deepEqual([failedValues.length, new Set(failedValues.map(({ status }) => status))], [100, new Set([400])])
  assert.deepEqual(
    [failedValues[0]?.message, failedValues[0]?.key],
    ['The image is damaged or cannot be read; send an intact file.', 'test'],
  )
})

test('nobody lists the calls of another account, signed in or with a key', async () => {
  const one = await makeAccount(database, 'team')
  const other = await makeAccount(database, 'free')
  await thousandCalls(one.id)
  assert.deepEqual((await list(await makeLogin(database, other.id))).body, { data: [], nextCursor: null })
  const { body } = await list(one.key, '?limit=1')
  const cursor = `?cursor=${body.nextCursor}`
  assert.deepEqual((await list(await makeLogin(database, other.id), cursor)).body.data, [])
})

test('failures of an account are read from their own index', async () => {
  const { id } = await makeAccount(database, 'team')
  await thousandCalls(id)
  await database.pool.query('analyze usage_event')
  const { rows } = await database.pool.query(
    `explain select 1 from usage_event e where e.account_id = '${id}' and e.status >= 400 order by e.at desc, e.id desc limit 51`,
  )
  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /usage_event_failed/)
})

for (const query of ['limit=0', 'limit=101', 'only=all', 'cursor=nonsense']) {
  test(`?${query} is invalid_params`, async () => {
    const { status } = await list(server.key, `?${query}`)
    assert.equal(status, 400)
  })
}
