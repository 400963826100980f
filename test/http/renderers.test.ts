import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { measures } from '../../src/rendering/sandbox/confinement.ts'
import { caller } from '../support/call.ts'
import { photo, solid } from '../support/pictures.ts'
import { readMetric } from '../support/read-metric.ts'
import { renderersOf, type Server, startServer } from '../support/server.ts'
import { until } from '../support/until.ts'

const small = await solid(20, 20, '#123456').png().toBuffer()
const large = await photo(4000, 3000).jpeg({ quality: 80 }).toBuffer()
const largest = await solid(8000, 9990, '#123456').jpeg().toBuffer()

const metrics = async ({ url }: Server): Promise<string> => (await fetch(`${url}/metrics`)).text()

/** Whether a long image is. */
const isAtWork = async (server: Server) => (await readMetric(server, 'renderers_busy', { lane: 'long' })) === 1

const restarts = async (server: Server, reason: string): Promise<number> =>
  (await readMetric(server, 'renderer_restarts_total', { reason, lane: 'long' })) ?? 0

const server = await startServer({ RENDERERS: '2' })
after(() => server[Symbol.asyncDispose]())
const { post } = caller(server)

test('renderers have no environment but for malloc, thread pools and compiled code, and the server has no decoder', async () => {
  // Ready is the server with its first renderer; the second may still be loading.
  assert.equal((await post('convert', {}, { image: small })).status, 200)
  assert.ok(await until(async () => (await renderersOf(server.pid)).length === 2, 60_000))
  const renderers = await renderersOf(server.pid)
  for (const { pid } of renderers) {
    const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .filter(Boolean)
      .map((line) => line.split('=')[0])
    assert.deepEqual(names.sort(), [
      'MALLOC_ARENA_MAX',
      'MALLOC_MMAP_THRESHOLD_',
      'MALLOC_TRIM_THRESHOLD_',
      'NODE_COMPILE_CACHE',
      'RAYON_NUM_THREADS',
      'UV_THREADPOOL_SIZE',
      'VIPS_DISC_THRESHOLD',
    ])
    assert.match(await readFile(`/proc/${pid}/maps`, 'utf8'), /libvips/)
    assert.match(await readFile(`/proc/${pid}/status`, 'utf8'), /NoNewPrivs:\t1/)
  }
  assert.doesNotMatch(await readFile(`/proc/${server.pid}/maps`, 'utf8'), /libvips/)
})

test('what confines renderers here is told once in the log, and by every measure in the metrics', async () => {
  const lines = [...(await metrics(server)).matchAll(/renderer_confinement\{measure="(\w+)"\} ([01])/g)]
  assert.deepEqual(
    lines.map(([, name]) => name),
    measures.map(({ name }) => name),
  )
  const [line, ...more] = server
    .output()
    .split('\n')
    .filter((text) => text.includes('renderers are confined'))
  assert.equal(more.length, 0)
  assert.equal((JSON.parse(line ?? '{}') as { measures: number }).measures, lines.filter(([, , holds]) => holds === '1').length)
})

test('a renderer that ends at work ends its request alone, is counted once, by its reason, and is replaced', async (t) => {
  await using single = await startServer({ RENDERERS: '1' })
  for (const [signal, reason] of [
    ['SIGKILL', 'killed'],
    ['SIGSEGV', 'crash'],
    ['SIGXCPU', 'cpu'],
  ] as const) {
    await t.test(`${signal} is ${reason}`, async () => {
      const work = caller(single).post('convert', { format: 'avif' }, { image: large })
      assert.ok(await until(() => isAtWork(single)))
      for (const { pid } of await renderersOf(single.pid)) process.kill(pid, signal)
      const { status, error } = await work
      assert.deepEqual([status, error?.statusMessage], [500, 'conversion_failed'])
      assert.equal((await caller(single).post('convert', {}, { image: small })).status, 200)
      assert.equal(await restarts(single, reason), 1)
    })
  }
  assert.equal((await metrics(single)).match(/restarts_total\{.*lane="long"/g)?.length, 3)
})

test('a client that leaves frees its renderer', async () => {
  const client = new AbortController()
  const gone = assert.rejects(post('convert', { format: 'avif' }, { image: large }, { signal: client.signal }))
  assert.ok(await until(() => isAtWork(server)))
  client.abort()
  await gone
  assert.ok(await until(async () => (await restarts(server, 'abandoned')) === 1))
})

test('sixteen of the largest images are worked on one after the other, while small ones pass', async () => {
  const heavy = Promise.all(Array.from({ length: 16 }, () => post('convert', { format: 'jpeg', width: 800 }, { image: largest })))
  await sleep(200)
  const light = await post('convert', {}, { image: small })
  assert.equal(light.status, 200)
  const sizes = await Promise.all((await renderersOf(server.pid)).map(({ pid }) => readFile(`/proc/${pid}/status`, 'utf8')))
  const peak = sizes.map((status) => Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)
  assert.ok(peak.reduce((sum, size) => sum + size, 0) < 1_500, peak.join())
  assert.deepEqual([...new Set((await heavy).map(({ status }) => status))], [200])
})

test('an image that takes too long is conversion_failed', async () => {
  await using slow = await startServer({ RENDER_TIMEOUT_S: '1', RENDERERS: '1' })
  const { status, error } = await caller(slow).post('convert', { format: 'avif', blur: 100, rotate: 45 }, { image: large })
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

test('a full queue is server_busy, at once', async () => {
  await using narrow = await startServer({ RENDERERS: '1', RENDER_QUEUE: '2' })
  const answers = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const began = performance.now()
      const answer = await caller(narrow).post('convert', { format: 'webp' }, { image: large })
      return { ...answer, ms: performance.now() - began }
    }),
  )
  const busy = answers.filter(({ status }) => status === 503)
  assert.ok(busy.length >= 6, String(busy.length))
  assert.ok(answers.some(({ status }) => status === 200))
  for (const { error, headers } of busy) {
    assert.equal(error?.statusMessage, 'server_busy')
    assert.ok(Number(headers.get('retry-after')) >= 1)
  }
})
