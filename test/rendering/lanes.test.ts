import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { ApiError } from '../../src/contract/api-error.ts'
import type { LaneName } from '../../src/rendering/pool.ts'
import { type CallersLane, type Pool, PoolClosed, type PoolSettings } from '../../src/rendering/pool.ts'
import { rendererCrashed } from '../../src/rendering/renderer-process.ts'
import { operations } from '../../src/tasks/index.ts'
import { photo, solid } from '../support/pictures.ts'
import { NICE, openPool, renderersIn, threadPriorities } from '../support/rendering.ts'
import { until } from '../support/until.ts'

const small = await solid(20, 20, '#123456').png().toBuffer()
const slow = await photo(3000, 2000).jpeg().toBuffer()
/** 30 and 60 megapixels: there is room for one of them. */
const heavy = await photo(6000, 5000).jpeg({ quality: 40 }).toBuffer()
const heavier = await solid(10_000, 6000, '#123456').png().toBuffer()
/** As AVIF, takes three times the second that a renderer has where one must run out of time. */
const endless = await photo(10_000, 7_500).jpeg({ quality: 40 }).toBuffer()

function opened(t: TestContext, settings: Partial<PoolSettings> = {}): Pool {
  const pool = openPool(settings)
  t.after(() => pool.close())
  return pool
}

function render(pool: Pool, lane: CallersLane, image: Buffer, format: 'webp' | 'avif' | 'jpeg' = 'webp', signal?: AbortSignal) {
  const params = operations.convert.params.parse({ format })
  return pool.run('convert', params, [[image]], signal ?? new AbortController().signal, lane)
}

const busy = (pool: Pool, lane: LaneName) => until(async () => pool.state(lane).busy > 0, 20_000)

test('renderers of the background have a lower priority than all else, in all their threads and as a session', async (t) => {
  const pool = opened(t)
  assert.deepEqual((await render(pool, 'background', small)).report.width, 20)
  await render(pool, 'sync', small)
  const [[background], [sync]] = [await renderersIn('background'), await renderersIn('sync')]
  assert.ok(background && sync)
  for (const [pid, priority] of [
    [background, NICE],
    [sync, 0],
  ] as const) {
    const threads = readdirSync(`/proc/${pid}/task`)
    assert.ok(threads.length > 1)
    assert.deepEqual(new Set(threadPriorities(pid, threads)), new Set([priority]))
    const group = `/proc/${pid}/autogroup`
    if (existsSync(group)) assert.match(readFileSync(group, 'utf8'), new RegExp(`nice ${priority}\n`))
  }
})

test('renderers of the background are there while there is work, and those of sync always', async (t) => {
  const pool = opened(t, { backgroundIdleSeconds: 0.2 })
  assert.ok(await until(async () => pool.ready()))
  for (let round = 0; round < 2; round++) {
    assert.deepEqual(await renderersIn('background'), [])
    await Promise.all([1, 2, 3].map(() => render(pool, 'background', small)))
    assert.equal(pool.state('background').renderers, 1)
    assert.ok(await until(async () => (await renderersIn('background')).length === 0))
    // The process is gone a moment before its pool hears of it.
    assert.ok(await until(async () => pool.state('background').renderers === 0))
  }
  assert.equal((await renderersIn('sync')).length, 1)
})

test('what waits in the background makes nobody else wait, and is never too much', async (t) => {
  const pool = opened(t, { queue: 1 })
  const order: string[] = []
  const batch = Array.from({ length: 12 }, () => render(pool, 'background', slow).then(() => order.push('background')))
  assert.ok(await busy(pool, 'background'))
  assert.ok(!pool.full())
  await render(pool, 'sync', small).then(() => order.push('sync'))
  assert.equal(order[0], 'sync')
  const refused = Array.from({ length: 3 }, () => render(pool, 'sync', slow))
  assert.ok(pool.full())
  await assert.rejects(refused.at(-1) ?? Promise.resolve(), { code: 'server_busy' })
  await Promise.all([...batch, ...refused.slice(0, 2)])
})

test('a heavy image that somebody waits for takes the room of one in the background, which is done afterwards', async (t) => {
  const order: string[] = []
  const pool = opened(t)
  const background = render(pool, 'background', heavy, 'avif').then(({ report }) => order.push(`background ${report.width}`))
  // Weighed by its header at first, it is at work for the second time when it has room.
  assert.ok(await until(async () => pool.state('background').busy > 0 && pool.state('background').queued === 0, 20_000))
  await render(pool, 'sync', heavier, 'jpeg').then(({ report }) => order.push(`sync ${report.width}`))
  await background
  assert.deepEqual(order, ['sync 10000', 'background 6000'])
})

test('a heavy image in the background waits for the room of one that somebody waits for', async (t) => {
  const order: string[] = []
  const pool = opened(t)
  await render(pool, 'background', small)
  const sync = render(pool, 'sync', heavier, 'webp').then(() => order.push('sync'))
  assert.ok(await busy(pool, 'long'))
  // Slow: should it be at work first, it is interrupted, which what is done within the grace is not.
  const background = render(pool, 'background', heavy, 'webp').then(() => order.push('background'))
  await Promise.all([sync, background])
  assert.deepEqual(order, ['sync', 'background'])
})

test('at the end the background is rejected at once, at work or waiting, and sync is finished', async () => {
  const pool = openPool()
  const sync = render(pool, 'sync', slow)
  const background = Promise.allSettled([1, 2].map(() => render(pool, 'background', slow, 'avif')))
  assert.ok(await busy(pool, 'background'))
  const closed = pool.close()
  for (const one of await background) assert.ok(one.status === 'rejected' && one.reason instanceof PoolClosed)
  assert.equal((await sync).report.width, 3000)
  await closed
  await assert.rejects(render(pool, 'background', small), PoolClosed)
  assert.ok(await until(async () => (await renderersIn('background')).length === 0))
})

test('a caller tells an image that ended its renderer from one that took too long and one that is none', async (t) => {
  const pool = opened(t, { timeoutSeconds: 1 })
  const failure = async (work: Promise<unknown>): Promise<ApiError> => {
    const error = await work.then(
      () => assert.fail('it was rendered'),
      (error: unknown) => error,
    )
    assert.ok(error instanceof ApiError)
    return error
  }
  for (const lane of ['sync', 'background'] as const) {
    await render(pool, lane, small)
    const late = await failure(render(pool, lane, endless, 'avif'))
    assert.deepEqual([late.code, rendererCrashed(late)], ['conversion_failed', false])
    const wrong = await failure(render(pool, lane, small.subarray(0, 50)))
    assert.deepEqual([wrong.code, rendererCrashed(wrong)], ['invalid_image', false])
    const killed = failure(render(pool, lane, slow, 'avif'))
    const at = lane === 'sync' ? 'long' : lane
    assert.ok(await busy(pool, at))
    for (const pid of await renderersIn(at)) process.kill(pid, 'SIGKILL')
    assert.deepEqual([(await killed).code, rendererCrashed(await killed)], ['conversion_failed', true])
  }
})

test('an image that is called off leaves the queue, or its renderer', async (t) => {
  const pool = opened(t)
  const leaving = new AbortController()
  const left = Promise.allSettled([slow, small].map((image) => render(pool, 'background', image, 'avif', leaving.signal)))
  assert.ok(await busy(pool, 'background'))
  leaving.abort(new Error('nobody waits'))
  const [atWork, waiting] = await left
  assert.ok(atWork?.status === 'rejected' && atWork.reason instanceof ApiError)
  assert.deepEqual([waiting?.status, waiting?.status === 'rejected' && waiting.reason.message], ['rejected', 'nobody waits'])
  assert.equal((await render(pool, 'background', small)).report.width, 20)
})

test('nobody listens any more to the signal of an image that is done, whose files it would keep', async (t) => {
  const pool = opened(t)
  const { signal } = new AbortController()
  await render(pool, 'sync', small, 'webp', signal)
  await assert.rejects(render(pool, 'sync', Buffer.from('no image'), 'webp', signal))
  assert.deepEqual(getEventListeners(signal, 'abort'), [])
})
