import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { type Pool, PoolClosed } from '@pixelmill/engine/rendering/pool'
import { operations } from '@pixelmill/engine/tasks/index'
import { until } from '@pixelmill/engine/test/support/until'
import { isRefusal } from '../../src/contract/api-error.ts'
import { NICE, openPool, renderersIn, threadPriorities } from '../support/rendering.ts'
import { busy, openedPool, render, slow, small } from './lanes.ts'

test('one interactive renderer stays, and the others start when they are needed and end when idle', async (t) => {
  const pool = openedPool(t, { renderers: 3, queue: 0, syncIdleSeconds: 0.5 })
  assert.ok(await until(async () => pool.ready()))
  const [keptCount, ...others] = await renderersIn('sync')
  assert.ok(keptCount !== undefined && others.length === 0)
  for (let round = 0; round < 2; round++) {
    // One after the other needs one renderer; and renderers that have not been started are places too.
    await render(pool, 'sync', small)
    await render(pool, 'sync', small)
    assert.deepEqual(await renderersIn('sync'), [keptCount])
    const together = [1, 2, 3].map(() => render(pool, 'sync', small))
    await assert.rejects(render(pool, 'sync', small), { code: 'server_busy' })
    await Promise.all(together)
    const threeAtOnce = () => Promise.all([1, 2, 3].map(() => render(pool, 'sync', small)))
    assert.ok(await until(() => threeAtOnce().then(() => pool.state('sync').renderers === 3)))
    assert.ok(await until(async () => pool.state('sync').renderers === 1))
    assert.ok(await until(async () => (await renderersIn('sync')).length === 1))
    assert.deepEqual(await renderersIn('sync'), [keptCount])
  }
})

test('background renderers run while there is work, and one of sync always', async (t) => {
  const pool = openedPool(t, { backgroundIdleSeconds: 0.2 })
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

test('a pool that is closed rejects background images at once, at work or waiting, and finishes those of sync', async () => {
  const pool = openPool()
  const sync = render(pool, 'sync', slow)
  const background = Promise.allSettled([1, 2].map(() => render(pool, 'background', slow, 'avif')))
  assert.ok(await busy(pool, 'background'))
  const closedValue = pool.close()
  for (const one of await background) assert.ok(one.status === 'rejected' && one.reason instanceof PoolClosed)
  assert.equal((await sync).report.width, 3000)
  await closedValue
  await assert.rejects(render(pool, 'background', small), PoolClosed)
  assert.ok(await until(async () => (await renderersIn('background')).length === 0))
})

/** With one renderer in each lane, and a queue of one image; the tests use it one after another. */
describe('a pool', () => {
  let pool: Pool
  before(() => {
    pool = openPool({ queue: 1 })
  })
  after(() => pool.close())

  test('background renderers have a lower priority than all other processes, in all their threads and as a session', async () => {
    assert.deepEqual((await render(pool, 'background', small)).report.width, 20)
    await render(pool, 'sync', small)
    const [background] = await renderersIn('background')
    const [sync] = await renderersIn('sync')
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

  test('images that wait in the background do not delay interactive ones, and are more than may wait for an answer', async () => {
    assert.ok(await until(async () => pool.ready()))
    const order: string[] = []
    const batch = Array.from({ length: 3 }, () => render(pool, 'background', slow).then(() => order.push('background')))
    assert.ok(await busy(pool, 'background'))
    assert.ok(!pool.full())
    await render(pool, 'sync', small).then(() => order.push('sync'))
    assert.equal(order[0], 'sync')
    const refusedResults = Array.from({ length: 3 }, () => render(pool, 'sync', small))
    assert.ok(pool.full())
    await assert.rejects(refusedResults.at(-1) ?? Promise.resolve(), { code: 'server_busy' })
    await Promise.all([...batch, ...refusedResults.slice(0, 2)])
  })

  test('an image that its caller cancels leaves the queue, or its renderer', async () => {
    const leaving = new AbortController()
    const left = Promise.allSettled([slow, small].map((image) => render(pool, 'background', image, 'avif', leaving.signal)))
    assert.ok(await busy(pool, 'background'))
    leaving.abort(new Error('cancelled'))
    const [atWork, waiting] = await left
    assert.ok(atWork?.status === 'rejected' && isRefusal(atWork.reason))
    assert.deepEqual([waiting?.status, waiting?.status === 'rejected' && waiting.reason.message], ['rejected', 'cancelled'])
    assert.equal((await render(pool, 'background', small)).report.width, 20)
  })

  test('an image whose client goes while its header is read costs no other renderer', async () => {
    await render(pool, 'sync', small)
    const leaving = new AbortController()
    const left = render(pool, 'sync', slow, 'avif', leaving.signal)
    assert.equal(pool.state('sync').busy, 1)
    leaving.abort(new Error('cancelled'))
    await assert.rejects(left, /cancelled/)
    const { busy: atWork, queued } = pool.state('long')
    assert.deepEqual({ atWork, queued }, { atWork: 0, queued: 0 })
  })

  test('what nobody wants any more leaves the queue, and is finished by a renderer that has begun it', async () => {
    const unwantedController = new AbortController()
    const never = new AbortController().signal
    const params = operations.convert.params.parse({ format: 'webp' })
    const run = (wantedSignal: AbortSignal) => pool.run('convert', params, [[small]], never, 'background', wantedSignal)
    const runs = [1, 2, 3, 4].map(() => run(unwantedController.signal))
    const all = Promise.allSettled([render(pool, 'background', slow, 'avif', never), ...runs])
    unwantedController.abort(new Error('nobody wants it'))
    const ends = (await all).map(({ status }) => status)
    assert.deepEqual([ends.at(0), ends.at(-1)], ['fulfilled', 'rejected'])
    const wantedController = new AbortController()
    const begunResult = run(wantedController.signal)
    assert.ok(await busy(pool, 'background'))
    wantedController.abort()
    assert.equal((await begunResult).report.width, 20)
  })

  test('the signal of an image that is done keeps no listener, which would keep the files in memory', async () => {
    const { signal } = new AbortController()
    await render(pool, 'sync', small, 'webp', signal)
    await assert.rejects(render(pool, 'sync', Buffer.from('no image'), 'webp', signal))
    assert.deepEqual(getEventListeners(signal, 'abort'), [])
  })
})
