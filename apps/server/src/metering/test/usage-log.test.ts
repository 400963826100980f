import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount } from '../../../test/support/accounts.ts'
import { onEachDatabase } from '../../../test/support/databases.ts'
import { type Database, openDatabase } from '../../database/database.ts'
import { readAiUsage } from '../ai-images.ts'
import { trialCalls } from '../calls.ts'
import { readUsage } from '../read-usage.ts'
import { type UsageEvent, type UsageLog, usageLog } from '../usage-log.ts'

onEachDatabase(({ kind, skip, database, target }) => {
  /** A log, and what it says of itself. */
  function openLog(of: Database = database()) {
    const toldValue = { lost: 0, errors: 0 }
    const log = usageLog(of.pool, {
      onLost: (events) => {
        toldValue.lost += events
      },
      onError: () => {
        toldValue.errors++
      },
    })
    return { log, told: toldValue }
  }
  const event = (accountId: string, status = 200): UsageEvent => ({
    accountId,
    keyId: randomUUID(),
    endpoint: '/api/v1/convert',
    status,
    statusMessage: status === 200 ? null : 'invalid_image',
    inputBytes: 1_000,
    outputBytes: 500,
    durationMs: 12,
  })
  const record = (log: UsageLog, account: string, times: number) => {
    for (let n = 0; n < times; n++) log.record(event(account))
  }
  async function writtenEvents(account: string) {
    const { rows } = await database().pool.query<{ events: number; calls: number }>(
      `select (select count(*)::int from usage_event where account_id = $1) as events,
              (select coalesce(sum(calls), 0)::int from usage_day where account_id = $1) as calls`,
      [account],
    )
    return rows[0]
  }

  test(`${kind}: events are written soon after, many at once, and all at the end`, { skip }, async () => {
    const { id } = await makeAccount(database(), 'team')
    const { log, told } = openLog()
    log.record(event(id))
    log.record(event(id, 400))
    assert.ok(await until(async () => (await writtenEvents(id))?.events === 2))
    // What failed is an event, but not a call of the day.
    assert.deepEqual(await writtenEvents(id), { events: 2, calls: 1 })
    record(log, id, 1_234)
    await log.close()
    assert.deepEqual(await writtenEvents(id), { events: 1_236, calls: 1_235 })
    assert.deepEqual(told, { lost: 0, errors: 0 })
  })

  test(`${kind}: a batch that is sent twice counts once, one of a deleted account not at all`, { skip }, async () => {
    const { id } = await makeAccount(database(), 'team')
    const row = (account: string) => ({
      id: randomUUID(),
      account_id: account,
      key_id: randomUUID(),
      endpoint: '/x',
      status: 200,
      status_message: null,
      input_bytes: 1,
      output_bytes: 1,
      duration_ms: 1,
      age_ms: 60_000,
    })
    const batch = JSON.stringify([row(id), row(randomUUID()), row(id)])
    for (let n = 0; n < 2; n++) await database().pool.query('select record_usage($1)', [batch])
    assert.deepEqual(await writtenEvents(id), { events: 2, calls: 2 })
    const { rows } = await database().pool.query(
      'select extract(epoch from clock_timestamp() - max(at))::float as age from usage_event where account_id = $1',
      [id],
    )
    assert.ok(rows[0].age >= 60 && rows[0].age < 90)
  })

  test(`${kind}: an AI request is no call: it has days of its own, with its tokens and what they cost to the last digit`, {
    skip,
  }, async () => {
    const { id } = await makeAccount(database(), 'pro')
    const { log } = openLog()
    const use = {
      provider: 'platform',
      model: 'a-model',
      images: 3,
      questions: 4,
      inputTokens: 1_234_567,
      outputTokens: 89,
    } as const
    const prices = { input: 0.15, output: 0.6 }
    const request = { ...event(id), keyId: null, endpoint: '/v1/ai/alt-text' }
    log.record({ ...request, ai: { ...use, prices } })
    log.record({ ...request, ai: { ...use, provider: 'byok', model: 'mine' } })
    // In vain, and one that did not come to a model.
    log.record({ ...request, status: 502, statusMessage: 'ai_provider_error', ai: { ...use, images: 0, prices } })
    log.record({ ...request, status: 400, statusMessage: 'invalid_params', ai: null })
    await log.close()
    assert.deepEqual(await writtenEvents(id), { events: 4, calls: 0 })
    const { today, month } = await readAiUsage(database().pool, id, { free: 0, pro: 10, team: 0, enterprise: null })
    assert.deepEqual([today.limit, today.used, today.remaining], [10, 0, 10])
    // Twice 1,234,567 tokens at $ 0.15 and 89 at $ 0.60 a million.
    assert.deepEqual(month, { images: 6, inputTokens: 3 * 1_234_567, outputTokens: 267, cost: 0.3704769 })
    const { recent, byEndpoint, daily, calls } = await readUsage(database().pool, id, 10, trialCalls.parse('0'))
    assert.deepEqual([byEndpoint, calls.used, daily.at(-1)?.calls], [[], 0, 0])
    const [inVain, ...others] = recent.filter(({ ai }) => ai).sort((one, other) => other.status - one.status)
    const spentValue = { inputTokens: 1_234_567, outputTokens: 89 }
    assert.deepEqual(others.map(({ ai }) => ai?.provider).sort(), ['byok', 'platform'])
    assert.deepEqual(inVain?.ai, { provider: 'platform', model: 'a-model', images: 0, ...spentValue, cost: 0.18523845 })
    assert.deepEqual(
      recent.filter(({ ai }) => !ai).map(({ status, statusMessage }) => [status, statusMessage]),
      [[400, 'invalid_params']],
    )
    const other = await makeAccount(database(), 'enterprise')
    const nothing = await readAiUsage(database().pool, other.id, { free: 0, pro: 10, team: 0, enterprise: null })
    assert.deepEqual([nothing.today.limit, nothing.today.remaining], [null, null])
    assert.deepEqual(nothing.month, { images: 0, inputTokens: 0, outputTokens: 0 })
  })

  test(`${kind}: while the database does not take them they wait, the oldest are dropped and counted`, { skip }, async () => {
    const { id } = await makeAccount(database(), 'team')
    const { log, told } = openLog()
    await database().pool.query('alter function record_usage rename to away')
    record(log, id, 50)
    assert.ok(await until(async () => told.errors > 0))
    record(log, id, 10_000)
    assert.equal(told.lost, 50)
    await database().pool.query('alter function away rename to record_usage')
    assert.ok(await until(async () => (await writtenEvents(id))?.events === 10_000, 30_000))
    assert.equal((await writtenEvents(id))?.calls, 10_000)
    await log.close()
  })

  test(`${kind}: a server that ends without its database says how many it loses, and ends`, { skip }, async () => {
    const { id } = await makeAccount(database(), 'team')
    const other = await openDatabase(target(), () => {})
    const { log, told } = openLog(other)
    await other.close()
    record(log, id, 7)
    await log.close()
    assert.deepEqual([told.lost, told.errors > 0], [7, true])
  })
})
