import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { caller } from '../../../test/support/call.ts'
import { peakMemoryDuring } from '../../../test/support/peak-memory.ts'
import { metricsOf, readMetric } from '../../../test/support/read-metric.ts'
import { renderersOf, type Server, startServer } from '../../../test/support/server.ts'

const MiB = 1024 * 1024

const small = await solid(20, 20, '#123456').png().toBuffer()
/** Enlarged to this width as AVIF, which takes seconds. */
const medium = await photo(800, 600).jpeg({ quality: 80 }).toBuffer()
const LONG = { format: 'avif', width: 5000 } as const
const largest = await solid(8000, 9990, '#123456').jpeg().toBuffer()

/** Whether a long image is being rendered. */
const isAtWork = async (server: Server) => (await readMetric(server, 'renderers_busy', { lane: 'long' })) === 1

const restarts = async (server: Server, reason: string, lane = 'long'): Promise<number> =>
  (await readMetric(server, 'renderer_restarts_total', { reason, lane })) ?? 0

const server = await startServer({ RENDERERS: '2' })
after(() => server[Symbol.asyncDispose]())
const { post } = caller(server)

test('a renderer that ends while it renders ends its own request only, is counted once, by the reason, and is replaced', async (t) => {
  for (const [signal, reason] of [
    ['SIGSEGV', 'crash'],
    ['SIGXCPU', 'cpu'],
  ] as const) {
    await t.test(`${signal} is counted as ${reason}`, async () => {
      const work = post('convert', LONG, { image: medium })
      assert.ok(await until(() => isAtWork(server)))
      const all = await renderersOf(server.pid)
      for (const { pid } of all) process.kill(pid, signal)
      const idle = all.length - 1
      assert.ok(idle >= 1)
      // Until the server knows that the idle ones have ended, it may give them an image.
      assert.ok(await until(async () => (await restarts(server, reason, 'sync')) === idle, 20_000))
      const { status, error } = await work
      assert.deepEqual([status, error?.statusMessage], [500, 'conversion_failed'])
      assert.equal((await post('convert', {}, { image: small })).status, 200)
      assert.equal(await restarts(server, reason), 1)
    })
  }
  assert.equal((await metricsOf(server)).match(/restarts_total\{.*lane="long"/g)?.length, 2)
})

test('sixteen of the largest images are rendered one after the other, and small ones need not wait for them', async () => {
  let answers = 0
  const heavy = Promise.all(
    Array.from({ length: 16 }, async () => {
      const { status } = await post('convert', { format: 'jpeg', width: 4000 }, { image: largest })
      answers += 1
      return status
    }),
  )
  const peak = peakMemoryDuring(server, heavy)
  assert.ok(await until(async () => answers > 0))
  assert.equal((await post('convert', {}, { image: small })).status, 200)
  assert.ok(answers < 16, 'large ones are still waiting')
  assert.ok((await peak) < 1_500 * MiB, `${Math.round((await peak) / MiB)} MiB in all renderers`)
  assert.deepEqual([...new Set(await heavy)], [200])
})

test('an image that takes too long is conversion_failed', async () => {
  await using slow = await startServer({ RENDER_TIMEOUT_S: '1', RENDERERS: '1' })
  const { status, error } = await caller(slow).post('convert', { ...LONG, blur: 100, rotate: 45 }, { image: medium })
  assert.deepEqual([status, error?.statusMessage], [500, 'conversion_failed'])
  assert.equal(await restarts(slow, 'timeout'), 1)
  assert.equal((await caller(slow).post('convert', {}, { image: small })).status, 200)
})

test('an image that takes too much memory is conversion_failed', {
  skip: process.platform !== 'linux' && 'Linux only',
}, async () => {
  await using tight = await startServer({ RENDER_MEMORY_MB: '1024', RENDERERS: '1' })
  const { status, error } = await caller(tight).post('convert', { format: 'avif' }, { image: largest })
  assert.deepEqual([status, error?.statusMessage], [500, 'conversion_failed'])
  assert.equal(await restarts(tight, 'memory'), 1)
  assert.equal((await caller(tight).post('convert', {}, { image: small })).status, 200)
})
