import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, test } from 'node:test'
import { photo, solid } from '@pixelmill/codecs/test/support/pictures'
import { measures } from '@pixelmill/engine/rendering/sandbox/confinement'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { caller } from '../../../test/support/call.ts'
import { metricsOf, readMetric } from '../../../test/support/read-metric.ts'
import { renderersOf, type Server, startServer } from '../../../test/support/server.ts'

const small = await solid(20, 20, '#123456').png().toBuffer()
const large = await photo(1200, 900).jpeg({ quality: 80 }).toBuffer()

/** Whether a long image is being rendered. */
const isAtWork = async (server: Server) => (await readMetric(server, 'renderers_busy', { lane: 'long' })) === 1

const restarts = async (server: Server, reason: string): Promise<number> =>
  (await readMetric(server, 'renderer_restarts_total', { reason, lane: 'long' })) ?? 0

const medium = await photo(1_000, 740).jpeg().toBuffer()

/** Of 8 places one account alone gets 7, so that another account always gets one. */
const server = await startServer({ RENDERERS: '1', RENDER_QUEUE: '8', BATCH_NICE: '5' })
after(() => server[Symbol.asyncDispose]())
const { post } = caller(server)

test('the environment of a renderer has only settings of fonts, malloc, thread pools and compiled code; the server process loads no decoder', async () => {
  assert.equal((await post('convert', {}, { image: small })).status, 200)
  assert.ok(await until(async () => (await renderersOf(server.pid)).length === 1, 60_000))
  const renderers = await renderersOf(server.pid)
  for (const { pid } of renderers) {
    const names = (await readFile(`/proc/${pid}/environ`, 'utf8'))
      .split('\0')
      .filter(Boolean)
      .map((line) => line.split('=')[0])
    assert.deepEqual(names.sort(), [
      'FONTCONFIG_FILE',
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

test('the measures that confine renderers are logged once, and each is in the metrics', async () => {
  const lines = [...(await metricsOf(server)).matchAll(/renderer_confinement\{measure="(\w+)"\} ([01])/g)]
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

test('a renderer that is killed ends its own request only, is counted once, by the reason, and is replaced', async () => {
  const work = post('convert', { format: 'avif', width: 7000 }, { image: large })
  assert.ok(await until(() => isAtWork(server)))
  for (const { pid } of await renderersOf(server.pid)) process.kill(pid, 'SIGKILL')
  const { status, error } = await work
  assert.deepEqual([status, error?.statusMessage], [500, 'conversion_failed'])
  // Of one that was idle, the end is noticed a moment later.
  assert.ok(await until(async () => (await restarts(server, 'killed')) === 1))
  assert.equal((await post('convert', {}, { image: small })).status, 200)
  assert.equal(await restarts(server, 'killed'), 1)
})

test('a client that hangs up frees its renderer', async () => {
  const client = new AbortController()
  const goneValue = assert.rejects(post('convert', { format: 'avif', width: 7000 }, { image: large }, { signal: client.signal }))
  assert.ok(await until(() => isAtWork(server)))
  client.abort()
  await goneValue
  assert.ok(await until(async () => (await restarts(server, 'abandoned')) === 1))
})

test('a call that finds the queue full is refused as server_busy', async () => {
  const answers = await Promise.all(
    Array.from({ length: 15 }, () => post('convert', { format: 'webp', width: 3000 }, { image: large })),
  )
  const busy = answers.filter(({ status }) => status === 503)
  assert.ok(busy.length >= 6, String(busy.length))
  assert.ok(answers.some(({ status }) => status === 200))
  for (const { error, headers } of busy) {
    assert.equal(error?.statusMessage, 'server_busy')
    assert.ok(Number(headers.get('retry-after')) >= 1)
  }
})

test('while one account sends more long work than may wait, by key and signed in, the calls of another account are answered', async (t) => {
  const { url } = server
  const database = await openServerDatabase(server.dir)
  t.after(() => database.close())
  const one = await makeAccount(database, 'enterprise')
  const other = await makeAccount(database, 'enterprise')
  const callers = [caller({ url, key: one.key }), caller({ url, key: await makeLogin(database, one.id) })]
  const ends: number[] = []
  const flood = Array.from({ length: 12 }, (_, at) =>
    callers[at % 2]?.post('optimize', {}, { image: medium }).then(({ status }) => ends.push(status)),
  )
  const patient = caller({ url, key: other.key })
  const statuses: number[] = []
  for (let n = 0; n < 5; n++) statuses.push((await patient.post('convert', { format: 'png' }, { image: small })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200])
  assert.ok(ends.filter((status) => status === 200).length < 5, `${ends.join(' ')} had ended by then`)
  await Promise.all(flood)
  // One at work and about as many as may wait; the rest are refused.
  const [doneCount, busy] = [200, 503].map((wantedCount) => ends.filter((status) => status === wantedCount).length)
  assert.ok((doneCount ?? 0) >= 7 && (busy ?? 0) >= 1 && (doneCount ?? 0) + (busy ?? 0) === 12, ends.join(' '))
})
