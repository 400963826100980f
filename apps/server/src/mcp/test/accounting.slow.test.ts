import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { newFilesOf, startBatch, zipOf } from '../../../test/support/batch-call.ts'
import { saveSource } from '../../../test/support/delivery.ts'
import { haltRenderers } from '../../../test/support/halted-renderers.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'
import { agentOn, callsOf, type Output, upload } from './agent.ts'

/** What tools cost: exactly what they made. And what a key may not do. */

const BURST = 30
const MiB = 1024 * 1024

let server: Server
let database: Database
before(async () => {
  const small = { RENDERERS: '1', UPLOADS_MB_PER_ACCOUNT: '1', BURST_PER_MINUTE: String(BURST) }
  server = await startServer({ ...small, DELIVERY_FOLDERS: tmpdir() })
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

const small = await solid(20, 20, '#ff0000').png().toBuffer()
/** Larger as PNG than as anything else. */
const grainy = await photo(500, 400).jpeg().toBuffer()
const inline = (bytes: Buffer) => ({ base64: bytes.toString('base64') })

async function customer() {
  const { id, key } = await makeAccount(database, 'team')
  const caller = { url: server.url, key }
  return { id, key, caller, agent: await agentOn(caller), calls: () => callsOf(database, id) }
}

/** Uploads that are kept, whole or not. */
async function keptBy(id: string): Promise<number> {
  const { rows } = await database.pool.query('select count(*)::int as count from upload where account_id = $1', [id])
  return rows[0].count
}

const spend = (id: string, usedCount: number) =>
  database.pool.query(
    `insert into usage_month (account_id, month, used) values ($1, date_trunc('month', clock_timestamp() at time zone 'utc'), $2)
     on conflict (account_id, month) do update set used = $2`,
    [id, usedCount],
  )

test('a tool that fails says why, and costs nothing', async () => {
  const { agent, calls, id } = await customer()
  const other = await customer()
  const theirs = await upload(other.caller, small)
  const { batch } = await startBatch(other.caller, zipOf({ 'a.png': small }))
  const login = await makeLogin(database, other.id)
  await saveSource(server.url, login, 'theirs', { type: 'folder', path: server.dir })
  const image = inline(small)
  const refusals: readonly (readonly [error: string, tool: string, params: object])[] = [
    ['invalid_image_type', 'edit_image', { image: inline(Buffer.from('no image')), recipe: {} }],
    ['invalid_image', 'edit_image', { image: inline(small.subarray(0, 60)), recipe: {} }],
    ['invalid_params', 'edit_image', { image, recipe: { steps: [{ frobnicate: {} }] } }],
    ['invalid_params', 'edit_image', { image, recipe: { outputs: [{ format: 'docx' }] } }],
    ['invalid_params', 'edit_image', { image, recipe: { steps: [{ watermark: { image: 'logo' } }] } }],
    [
      'cannot_fit',
      'edit_image',
      { image: inline(await photo(120, 90).jpeg().toBuffer()), recipe: { outputs: [{ format: 'png', maxBytes: 1_000 }] } },
    ],
    ['invalid_params', 'edit_image', { image: { base64: 'ab$d' }, recipe: {} }],
    ['invalid_params', 'edit_image', { image: { base64: image.base64.slice(0, -2) }, recipe: {} }],
    ['invalid_params', 'inspect_image', { image: inline(Buffer.alloc(256 * 1024 + 1)) }],
    ['upload_not_found', 'edit_image', { image: { handle: theirs }, recipe: {} }],
    ['upload_not_found', 'inspect_image', { image: { handle: '../../etc' } }],
    ['upload_not_found', 'edit_image', { image, recipe: {}, files: { logo: { handle: theirs } } }],
    ['upload_not_found', 'make_batch', { archive: theirs, recipe: {} }],
    ['source_not_found', 'edit_image', { image: { source: 'theirs', path: 'a.jpg' }, recipe: {} }],
    ['source_not_found', 'inspect_image', { image: { source: 'theirs', path: 'a.jpg' } }],
    ['batch_not_found', 'batch_status', { id: batch.id }],
    ['batch_not_found', 'batch_status', { id: '../limits' }],
    ['invalid_image_type', 'suggest_crop', { image: inline(Buffer.from('no image')) }],
  ]
  for (const [error, tool, params] of refusals) {
    const refusedFault = await agent.refusalOf(tool, { ...params })
    assert.equal(refusedFault.error, error, JSON.stringify([tool, params, refusedFault]).slice(0, 400))
    assert.ok(refusedFault.message.length > 10)
  }
  const [issue] = (await agent.refusalOf('edit_image', { image, recipe: { steps: [{ blur: { sigma: 'much' } }] } })).issues ?? []
  assert.deepEqual(issue?.path, ['steps', 0, 'blur', 'sigma'])
  assert.deepEqual([await calls(), await keptBy(id)], [0, 0])
})

test('an output costs a call, a description one, and questions nothing', async () => {
  const { agent, calls, id } = await customer()
  const sizes = [10, 20, 30].map((width) => ({ name: `w${width}`, steps: [{ resize: { width } }] }))
  await agent.call('edit_image', { image: inline(small), recipe: { outputs: sizes }, preview: true })
  assert.deepEqual([await calls(), await keptBy(id)], [3, 3])
  await agent.call('inspect_image', { image: inline(small) })
  assert.equal(await calls(), 4)
  await agent.call('suggest_crop', { image: inline(small) })
  await agent.call('usage')
  await agent.client.listTools()
  assert.equal(await calls(), 4)
  const { calls: countedValue } = await agent.call<{ calls: { used: number } }>('usage')
  assert.equal(countedValue.used, 4)
})

test('results that cannot be kept, as the account has no space for uploads left, cost nothing and leave nothing', async () => {
  const { agent, calls, caller, id } = await customer()
  await upload(caller, Buffer.alloc(MiB - 20_000), 'application/octet-stream')
  const image = inline(grainy)
  const large = { name: 'large', format: 'png' }
  assert.equal((await agent.refusalOf('edit_image', { image, recipe: { outputs: [large] } })).error, 'too_many_uploads')
  const both = [{ name: 'small', format: 'jpeg', steps: [{ resize: { width: 20 } }] }, large]
  const refusedFault = await agent.refusalOf('edit_image', { image, recipe: { outputs: both } })
  assert.deepEqual([refusedFault.error, /delete some/.test(refusedFault.message)], ['too_many_uploads', true])
  assert.deepEqual([await calls(), await keptBy(id)], [0, 1])
  // What fits is made all the same.
  await agent.edit(image, { outputs: [both[0]] })
  assert.deepEqual([await calls(), await keptBy(id)], [1, 2])
})

test('the month: what is left of it is made, and no more', async () => {
  const { agent, calls, id } = await customer()
  await spend(id, 49_999)
  const image = inline(small)
  const two = { outputs: [{ name: 'a' }, { name: 'b' }] }
  assert.equal((await agent.refusalOf('edit_image', { image, recipe: two })).error, 'monthly_limit_exceeded')
  assert.equal(await calls(), 49_999)
  await agent.edit(image, {})
  const refusedFault = await agent.refusalOf('inspect_image', { image })
  assert.deepEqual([refusedFault.error, await calls()], ['monthly_limit_exceeded', 50_000])
  const { calls: left } = await agent.call<{ calls: { remaining: number } }>('usage')
  assert.equal(left.remaining, 0)
})

test(`${BURST} calls in a minute: the next is told when to come again`, async () => {
  const { agent, calls } = await customer()
  const image = inline(small)
  for (let n = 0; n < BURST; n++) await agent.call('inspect_image', { image, fields: ['format'] })
  const refusedFault = await agent.refusalOf('edit_image', { image, recipe: {} })
  assert.equal(refusedFault.error, 'rate_limited')
  assert.ok((refusedFault.retryAfterSeconds ?? 0) > 0, JSON.stringify(refusedFault))
  assert.equal(await calls(), BURST)
  await agent.call('usage')
})

test('a key that is wrong, revoked, or of a plan without the API is refused by HTTP, before and during a conversation', async () => {
  const free = await makeAccount(database, 'free')
  const { agent, id, key } = await customer()
  await agent.call('usage')
  await database.pool.query('update api_key set revoked_at = clock_timestamp() where account_id = $1', [id])
  await assert.rejects(agent.client.callTool({ name: 'usage', arguments: {} }), /invalid_or_revoked_api_key|401/)
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const refusals = [
    ['', 'missing_or_invalid_api_key'],
    ['Bearer sk_wrong', 'missing_or_invalid_api_key'],
    [`Bearer ${key}`, 'invalid_or_revoked_api_key'],
    [`Bearer ${free.key}`, 'api_access_not_available'],
  ] as const
  for (const [authorization, error] of refusals) {
    const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
    const answer = await fetch(`${server.url}/mcp`, { method: 'POST', headers, body: message })
    const { statusMessage } = (await answer.json()) as { statusMessage: string }
    assert.deepEqual([answer.status, answer.headers.get('www-authenticate'), statusMessage], [401, 'Bearer', error])
  }
})

/** A tool call as a program sends it that then goes away. */
async function hangUp(key: string, params: object, signal: AbortSignal): Promise<void> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  await fetch(`${server.url}/mcp`, { method: 'POST', headers, body, signal }).then(
    (answer) => answer.arrayBuffer(),
    () => {},
  )
}

test('an agent that goes away while its image waits is charged nothing, and its image is not made', async () => {
  const { id, key, agent, calls } = await customer()
  // So that a renderer is there to be halted.
  await agent.edit(inline(small), {})
  await using haltedRenderers = await haltRenderers(server.pid)
  const goneController = new AbortController()
  const left = hangUp(key, { name: 'edit_image', arguments: { image: inline(grainy), recipe: {} } }, goneController.signal)
  const openCalls = async () => {
    const { rows } = await database.pool.query('select count(*)::int as n from reservation where account_id = $1', [id])
    return rows[0].n as number
  }
  assert.ok(await until(async () => (await openCalls()) === 1), 'the call is reserved')
  goneController.abort()
  await left
  assert.ok(await until(async () => (await openCalls()) === 0), 'the call is given back')
  haltedRenderers.resume()
  await agent.edit(inline(small), {})
  assert.equal(await calls(), 2)
  assert.ok(await until(async () => (await keptBy(id)) === 2), 'nothing is left behind')
})

test('agents that go away at any moment pay for exactly the results that are kept', async () => {
  const { id, key, agent, calls } = await customer()
  const files = await newFilesOf(server.dir)
  const recipe = { outputs: [{ name: 'a' }, { name: 'b', format: 'webp' }] }
  for (let n = 0; n < 12; n++) {
    const goneController = new AbortController()
    const left = hangUp(key, { name: 'edit_image', arguments: { image: inline(small), recipe } }, goneController.signal)
    await sleep(n * 8)
    goneController.abort()
    await left
  }
  await agent.call('usage')
  const untilSettled = async () => {
    const { rows } = await database.pool.query('select count(*)::int as n from reservation where account_id = $1', [id])
    const keptCount = await keptBy(id)
    const paidCount = await calls()
    // A result is hidden before its file is removed.
    const storedCount = (await files()).filter((file) => file.includes('/uploads+/')).length
    return rows[0].n === 0 && keptCount === paidCount && storedCount === paidCount
  }
  assert.ok(await until(untilSettled), `${await keptBy(id)} results are kept, and ${await calls()} are paid`)
  const { outputs } = await agent.call<{ outputs: readonly Output[] }>('edit_image', { image: inline(small), recipe })
  assert.equal(outputs.length, 2)
})
