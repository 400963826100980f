import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import type { RenderReport } from '@pixelmill/engine/rendering/lane'
import type { LaneName, Pool, PoolEvents, PoolSettings } from '@pixelmill/engine/rendering/pool'
import { operations } from '@pixelmill/engine/tasks/index'
import { until } from '@pixelmill/engine/test/support/until'
import { LONG_NICE, openPool, renderersIn, saying, sayingEach, spawnReal, threadPriorities } from '../support/rendering.ts'

const small = await solid(8, 8, '#123456').png().toBuffer()
/** 1 megapixel: estimated to be long to optimize and to enlarge into AVIF, and short into JPEG. */
const medium = await photo(1_200, 900).jpeg().toBuffer()
const many = (count: number) => Array.from({ length: count }, (_, at) => at)

function openedPool(t: TestContext, settings: Partial<PoolSettings> = {}, events: Partial<PoolEvents> = {}): Pool {
  const pool = openPool({ queue: 64, ...settings }, events)
  t.after(() => pool.close())
  return pool
}

const convert = (
  pool: Pool,
  account: string,
  image: Buffer,
  options: Readonly<Record<string, unknown>> = {},
  signal?: AbortSignal,
) => {
  const params = operations.convert.params.parse(options)
  return pool.of(account).run('convert', params, [[image]], signal ?? new AbortController().signal)
}
const optimize = (pool: Pool, account: string, image: Buffer) => {
  const params = operations.optimize.params.parse({})
  return pool.of(account).run('optimize', params, [[image]], new AbortController().signal)
}

for (const renderers of [1, 2]) {
  test(`long work of one account leaves ${renderers} renderer free for small images of all`, async (t) => {
    const lanes: (readonly [RenderReport['task'], LaneName])[] = []
    const pool = openedPool(t, { renderers }, { onRender: ({ task }, lane) => lanes.push([task, lane]) })
    const order: string[] = []
    const long = many(6).map(() => optimize(pool, 'a', medium).then(() => order.push('long')))
    assert.ok(await until(async () => pool.state('long').busy === renderers, 20_000))
    for (const account of ['b', 'a', 'b']) await convert(pool, account, small).then(() => order.push(account))
    assert.deepEqual(order.slice(0, 3), ['b', 'a', 'b'])
    // The most that one account may have, however much waits.
    assert.equal(pool.state('long').busy, renderers)
    await Promise.all(long)
    assert.deepEqual(new Set(lanes.map((lane) => lane.join(' '))), new Set(['convert sync', 'optimize long']))
  })
}

test("another account's long image does not wait for the end of those of the first", async (t) => {
  const pool = openedPool(t)
  const order: string[] = []
  const first = many(6).map(() => optimize(pool, 'a', medium).then(() => order.push('a')))
  assert.ok(await until(async () => pool.state('long').busy === 1, 20_000))
  const second = convert(pool, 'b', medium, { format: 'avif', width: 1_500 }).then(() => order.push('b'))
  await Promise.all([...first, second])
  assert.notEqual(order.at(-1), 'b')
})

test('renderers of long work are started when there is some, at a lower priority, and end when there is none', async (t) => {
  const pool = openedPool(t, { renderers: 2, longIdleSeconds: 0.2 })
  await convert(pool, 'a', small)
  assert.deepEqual(await renderersIn('long'), [])
  const work = optimize(pool, 'a', medium)
  assert.ok(await until(async () => pool.state('long').busy === 1, 20_000))
  const [pid = 0, ...others] = await renderersIn('long')
  assert.deepEqual([others, threadPriorities(pid, [String(pid)])], [[], [LONG_NICE]])
  await work
  assert.ok(await until(async () => (await renderersIn('long')).length === 0, 20_000))
})

test('small images of one account take turns with hundreds of another', async (t) => {
  const pool = openedPool(t, { queue: 400 })
  const order: string[] = []
  const flood = many(300).map(() => convert(pool, 'a', small).then(() => order.push('a')))
  await convert(pool, 'b', small).then(() => order.push('b'))
  assert.ok(order.length <= 3, `${order.length} came before`)
  await Promise.all(flood)
})

test('an image that takes far longer than its header tells makes way for another account, and is done elsewhere', async (t) => {
  const restarts: string[] = []
  // The renderer of the lane sync never answers its first image.
  const spawn = sayingEach([])
  const lanes: LaneName[] = []
  const events = {
    onRender: (_: RenderReport, lane: LaneName) => lanes.push(lane),
    onRestart: (reason: string, _: string, lane: LaneName) => restarts.push(`${reason} ${lane}`),
  }
  const pool = openedPool(t, { spawn }, events)
  assert.ok(await until(async () => pool.ready(), 20_000))
  const order: string[] = []
  const hostile = convert(pool, 'a', small).then(() => order.push('a'))
  const began = performance.now()
  await convert(pool, 'b', small).then(() => order.push('b'))
  assert.ok(performance.now() - began < 30_000)
  await hostile
  assert.deepEqual(restarts, ['abandoned sync'])
  assert.deepEqual(new Set(order), new Set(['a', 'b']))
  // What it takes to be short for this account is less from now on, and as before for others.
  lanes.length = 0
  for (const account of ['b', 'a']) await convert(pool, account, medium)
  assert.deepEqual(lanes, ['sync', 'long'])
})

test('an image that takes long stays in its lane while no other account waits', async (t) => {
  const restarts: string[] = []
  const pool = openedPool(
    t,
    { spawn: sayingEach([]), timeoutSeconds: 2 },
    { onRestart: (reason, _, lane) => restarts.push(`${reason} ${lane}`) },
  )
  assert.ok(await until(async () => pool.ready(), 20_000))
  const [first, second] = await Promise.allSettled([convert(pool, 'a', small), convert(pool, 'a', small)])
  assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled'])
  assert.deepEqual(restarts, ['timeout sync'])
})

test('an account whose images time out again and again has its next ones done by the lane long alone', async (t) => {
  const lanes: LaneName[] = []
  let startedCount = 0
  // Those of the lane sync never answer.
  const pool = openedPool(
    t,
    { timeoutSeconds: 3, spawn: (nice) => (startedCount++ < 3 ? saying({ outcome: 'ready' }) : spawnReal(nice)) },
    { onRender: (_, lane) => lanes.push(lane) },
  )
  for (const _ of many(2)) {
    assert.ok(await until(async () => pool.state('sync').idle > 0, 20_000))
    await assert.rejects(convert(pool, 'a', small), { code: 'conversion_failed' })
  }
  assert.deepEqual(lanes, ['sync', 'sync'])
  assert.ok(await until(async () => pool.state('sync').idle > 0, 20_000))
  assert.equal((await convert(pool, 'a', small)).report.width, 8)
  assert.equal(lanes.at(-1), 'long')
})

test('one account cannot fill the queue so far that another is refused', async (t) => {
  const pool = openedPool(t, { queue: 16 })
  assert.ok(await until(async () => pool.ready(), 20_000))
  const flood = Promise.allSettled(many(40).map(() => convert(pool, 'a', medium, { width: 64, format: 'jpeg' })))
  assert.ok(pool.full('a') && !pool.full('b') && !pool.full())
  const others = ['b', 'c'].map((account) => convert(pool, account, small))
  assert.deepEqual(new Set((await Promise.all(others)).map(({ report }) => report.width)), new Set([8]))
  const ends = await flood
  const doneCount = ends.filter(({ status }) => status === 'fulfilled').length
  // Alone it has the renderer and seven eighths of the queue.
  assert.ok(doneCount >= 15, `${doneCount} were taken`)
  for (const end of ends) if (end.status === 'rejected') assert.equal(end.reason.code, 'server_busy')
})

test('long work that fills the queue is refused, and does not block short work of others', async (t) => {
  const pool = openedPool(t, { queue: 8 })
  assert.ok(await until(async () => pool.ready(), 20_000))
  const leaving = new AbortController()
  const flood: Promise<unknown>[] = []
  for (const _ of many(14)) {
    const one = convert(pool, 'a', medium, { format: 'avif', width: 1_600 }, leaving.signal)
    flood.push(one.catch((error: unknown) => error))
    await until(async () => pool.state('sync').busy === 0 && pool.state('sync').queued === 0, 20_000)
  }
  assert.ok(pool.waiting('a').all <= 9, String(pool.waiting('a').all))
  assert.ok(!pool.full('b'))
  assert.equal((await convert(pool, 'b', small)).report.width, 8)
  leaving.abort(new Error('enough'))
  const ends = await Promise.all(flood)
  assert.ok(ends.some((end) => end instanceof Error && 'code' in end && end.code === 'server_busy'))
  assert.equal(pool.state('long').queued, 0)
})
