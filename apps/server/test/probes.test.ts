import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { USUAL_METRICS_PORT } from '../src/settings/server.ts'
import { read } from './support/call.ts'
import { TARGETS } from './support/database-targets.ts'
import { raw } from './support/raw.ts'
import { METRICS_TOKEN, valueIn } from './support/read-metric.ts'
import { run, startServer } from './support/server.ts'
import { shareServer } from './support/shared-server.ts'

const READY = { status: 'ready', database: true, renderers: true, queue: true, storage: true, jobs: true }

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

/** Where METRICS_PORT=0 is, as the program prints it. */
async function probesOf(process: { output(): string }): Promise<string> {
  const probesUrl = () => /probes: (http:\S+)\/metrics/.exec(process.output())?.[1]
  assert.ok(await until(async () => probesUrl() !== undefined, 60_000), process.output())
  return probesUrl() ?? ''
}

const asking = (url: string, token: string) => fetch(url, { headers: { authorization: `Bearer ${token}` } })

test('on PORT the metrics need METRICS_TOKEN', async () => {
  await using server = await shareServer({ RENDERERS: '1' })
  const url = `${server.url}/metrics`
  assert.equal((await asking(url, METRICS_TOKEN)).status, 200)
  for (const token of ['', server.key, `${METRICS_TOKEN}x`, METRICS_TOKEN.slice(1)]) {
    const { status, error } = await read(await asking(url, token))
    assert.deepEqual([status, error?.statusMessage], [401, 'missing_or_invalid_api_key'], token)
  }
  assert.equal(await statusOf(url), 401)
})

test('a server takes a free port for its metrics where nobody has chosen one, and the usual port is taken', async (t) => {
  // Other programs may hold it too.
  const holder = createServer()
    .once('error', () => {})
    .listen(USUAL_METRICS_PORT, '127.0.0.1')
  t.after(() => holder.close())
  const own = createServer().listen(0, '127.0.0.1')
  await once(own, 'listening')
  const { port } = own.address() as AddressInfo
  own.close()
  await using server = await startServer({ RENDERERS: '1', PORT: String(port) })
  const itsProbes = await probesOf(server)
  assert.notEqual(new URL(itsProbes).port, String(USUAL_METRICS_PORT))
  assert.equal(await statusOf(`${itsProbes}/metrics`), 200)
})

test('sixteen readers get one text, computed within the second', async () => {
  await using server = await shareServer({ RENDERERS: '1' })
  const read = () => asking(`${server.url}/metrics`, METRICS_TOKEN).then((answer) => answer.text())
  const texts = await Promise.all(Array.from({ length: 16 }, read))
  const countedNumbers = new Set(texts.map((text) => valueIn(text, 'process_cpu_seconds_total')))
  assert.ok(countedNumbers.size <= 2, 'two where the second ended meanwhile')
})

const server = await startServer({ RENDERERS: '1', METRICS_TOKEN: '', SHUTDOWN_DELAY_S: '3' })
after(() => server[Symbol.asyncDispose]())
const probes = await probesOf(server)

test('without any setting, a port of 127.0.0.1 has metrics and probes, and nothing else; PORT has its probes and no metrics', async () => {
  assert.equal(new URL(probes).hostname, '127.0.0.1')
  assert.deepEqual(await (await fetch(`${probes}/readyz`)).json(), READY)
  assert.equal(await statusOf(`${probes}/healthz`), 200)
  assert.match(await (await fetch(`${probes}/metrics`)).text(), /^pixelmill_renderers_ready\{lane="sync"\} 1$/m)
  for (const path of ['/', '/docs', '/api/v1/convert', '/api/admin/system'])
    assert.equal(await statusOf(`${probes}${path}`), 404, path)
  assert.equal(await statusOf(`${server.url}/metrics`), 404)
  for (const path of ['/healthz', '/readyz']) assert.equal(await statusOf(`${server.url}${path}`), 200, path)
})

const [, external] = TARGETS
test('a worker answers probes with its own state and stops cleanly', { skip: external.skip }, async (t) => {
  const target = await external.start(t)
  assert.ok('url' in target)
  const worker = run({
    DATA_DIR: await tempFolder(t),
    DATABASE_URL: target.url,
    ROLE: 'worker',
    RENDERERS: '1',
  })
  const itsProbes = await probesOf(worker)
  assert.ok(await until(async () => (await statusOf(`${itsProbes}/readyz`)) === 200, 20_000))
  assert.deepEqual(await (await fetch(`${itsProbes}/readyz`)).json(), READY)
  assert.match(await (await fetch(`${itsProbes}/metrics`)).text(), /^pixelmill_renderers_ready\{lane="background"\} \d+$/m)
  worker.child.kill('SIGTERM')
  assert.equal((await worker.exited).code, 0)
})

// The last test, since it stops the server.
test('a server that stops says so, answers what still comes and closes those connections, and finishes its requests', async () => {
  const form = new FormData()
  form.append('image', new Blob([Uint8Array.from(await photo(300, 200).resize(3_000, 2_000).jpeg().toBuffer())]), 'large.jpg')
  form.append('format', 'avif')
  const answeredResponse = fetch(`${server.url}/api/v1/convert`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}` },
    body: form,
  })
  // Six megapixels of AVIF are long work: the lane sync only reads their header, which takes milliseconds.
  const busy = async () => /^pixelmill_renderers_busy\{lane="long"\} 1$/m.test(await (await fetch(`${probes}/metrics`)).text())
  assert.ok(await until(busy, 20_000), server.output())
  const endedValue = server.stop()
  const body = async () => (await fetch(`${probes}/readyz`)).json() as Promise<{ status: string }>
  assert.ok(await until(async () => (await body()).status === 'stopping', 5_000))
  const paths = ['/readyz', '/healthz', '/docs/errors', '/api/v2/usage', '/nothing', '/%zz', '/i/none/a.jpg']
  const answers = await Promise.all(
    paths.map((path) => raw(server.url, [`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.key}\r\n\r\n`])),
  )
  assert.deepEqual(
    answers.map((answer) => Number(answer.slice(9, 12))),
    [503, 200, 200, 200, 404, 404, 404],
  )
  for (const answer of answers) assert.match(answer, /^connection: close\r$/im)
  assert.equal(await statusOf(`${probes}/healthz`), 200)
  assert.equal((await answeredResponse).status, 200)
  assert.equal((await endedValue).code, 0)
})
