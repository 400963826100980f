import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../src/engine/engine.ts'
import { pacedEngine, paceOf } from '../src/engine/paced.ts'

for (const [percent, jobs, processors, pace] of [
  [100, undefined, 8, { jobs: 8, busyShare: 1 }],
  [50, undefined, 8, { jobs: 4, busyShare: 1 }],
  [30, undefined, 8, { jobs: 3, busyShare: 0.8 }],
  [10, undefined, 2, { jobs: 1, busyShare: 0.2 }],
  [50, 1, 8, { jobs: 1, busyShare: 1 }],
] as const)
  test(`--max-cpu ${percent} of ${processors} processors, with --jobs ${jobs}: ${JSON.stringify(pace)}`, () => {
    const { jobs: atOnce, busyShare } = paceOf(percent, jobs, processors)
    assert.deepEqual({ jobs: atOnce, busyShare: Math.round(busyShare * 1e6) / 1e6 }, pace)
  })

const WORK_MS = 20

/** An engine whose images take some time. */
function slowEngine(): Engine & { atOnce(): number } {
  let running = 0
  let most = 0
  return {
    jobs: 1,
    atOnce: () => most,
    async render() {
      most = Math.max(most, ++running)
      await sleep(WORK_MS)
      running--
      return []
    },
    async [Symbol.asyncDispose]() {},
  }
}

test('an engine with a pace works on so many images at once, and pauses after each as long as its share asks for', async () => {
  const inner = slowEngine()
  const engine = pacedEngine(inner, { jobs: 1, busyShare: 0.25 })
  const { signal } = new AbortController()
  const began = performance.now()
  await Promise.all([1, 2, 3].map(() => engine.render(Buffer.alloc(0), signal)))
  // Two pauses of three times the work, and three times the work itself; timers may be a little early.
  assert.ok(performance.now() - began >= 0.9 * (2 * 3 + 3) * WORK_MS)
  assert.equal(inner.atOnce(), 1)
})

test('an interrupted engine with a pace waits for nothing', async () => {
  const engine = pacedEngine(slowEngine(), { jobs: 1, busyShare: 1e-6 })
  const stop = new AbortController()
  const first = engine.render(Buffer.alloc(0), stop.signal)
  const second = engine.render(Buffer.alloc(0), stop.signal)
  await first
  stop.abort()
  // The pause would take hours.
  assert.deepEqual(await second, [])
})
