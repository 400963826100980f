import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { until } from '@pixelmill/engine/test/support/until'
import { loadSdk } from '../../src/traces.ts'
import { dataUri, startAiServer } from '../support/ai-server.ts'
import { startBatch, untilEnded } from '../support/batch-call.ts'
import { caller } from '../support/call.ts'
import { says } from '../support/fake-vision.ts'
import { type CollectedSpan, startCollector } from '../support/otlp-collector.ts'
import { run, startServer } from '../support/server.ts'
import { startReceiver } from '../support/webhooks.ts'
import { zipFile } from '../support/zip.ts'

const PACKAGES = join(import.meta.dirname, '../../../../otel/node_modules/@opentelemetry/exporter-trace-otlp-proto')
const skip = !existsSync(PACKAGES) && 'needs npm ci --prefix otel'

const image = await solid(64, 48, '#336699').png().toBuffer()
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const secrets = ['sk-operator-canary', 'canary-header']

const sees = says('{"altText": "A blue field.", "textInImage": "", "confidence": 0.9}')

type Tree = { readonly [name: string]: Tree }

/** Names below a span, as a tree; of several parts of one name one stands for all. */
function treeOf(spans: readonly CollectedSpan[], parentId: string): Tree {
  const parts = spans.filter((span) => span.parentId === parentId)
  return Object.fromEntries(parts.map((span) => [span.name, treeOf(spans, span.spanId)]))
}

const find = (spans: readonly CollectedSpan[], name: string): CollectedSpan =>
  spans.find((span) => span.name === name) ?? assert.fail(`no span ${name} among ${spans.map((span) => span.name)}`)

describe('traces', { skip }, () => {
  test('a conversion is a trace that goes on from its caller, with its request id, and its log line leads to it', async () => {
    await using collector = await startCollector()
    await using server = await startServer({
      RENDERERS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'pictures',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=canary%2Dheader',
      OTEL_RESOURCE_ATTRIBUTES: 'host.name=a1',
    })
    const headers = {
      authorization: `Bearer ${server.key}`,
      traceparent: `00-${TRACE}-${PARENT}-01`,
      'x-request-id': 'request-0001',
    }
    const { status } = await caller(server).post('convert', { format: 'webp' }, { image }, { headers })
    assert.equal(status, 200)
    await fetch(`${server.url}/healthz`)
    // The parts of one trace may be sent in several requests.
    const parts = ['POST /api/v1/convert', 'admission', 'read body', 'wait for renderer', 'render', 'settle']
    const spanNames = () => collector.spans.filter(({ traceId }) => traceId === TRACE).map(({ name }) => name)
    assert.ok(await until(async () => parts.every((part) => spanNames().includes(part)), 15_000))
    const root = find(collector.spans, 'POST /api/v1/convert')
    assert.deepEqual([root.traceId, root.parentId, root.kind, root.failed], [TRACE, PARENT, 2, false])
    assert.partialDeepStrictEqual(root.attributes, {
      'http.request.method': 'POST',
      'http.route': '/api/v1/convert',
      'http.response.status_code': 200,
      'pixelmill.request_id': 'request-0001',
      'pixelmill.input_bytes': image.length,
    })
    assert.partialDeepStrictEqual(root.resource, { 'service.name': 'pictures', 'host.name': 'a1' })
    const own = collector.spans.filter(({ traceId }) => traceId === TRACE)
    assert.deepEqual(treeOf(own, root.spanId), {
      admission: {},
      'read body': {},
      'wait for renderer': {},
      render: {},
      settle: {},
    })
    const render = find(own, 'render')
    assert.partialDeepStrictEqual(render.attributes, {
      'pixelmill.operation': 'convert',
      'pixelmill.lane': 'sync',
      'pixelmill.outcome': 'webp',
    })
    for (const part of own) {
      assert.ok(part.startedAt >= root.startedAt && part.endedAt <= root.endedAt, part.name)
      assert.ok(part.endedAt >= part.startedAt, part.name)
    }
    assert.deepEqual(
      collector.spans.filter(({ name }) => name.includes('healthz')),
      [],
    )
    assert.partialDeepStrictEqual(collector.requests[0], {
      path: '/v1/traces',
      headers: { 'content-type': 'application/x-protobuf', 'x-collector-key': 'canary-header' },
    })
    const line = server
      .output()
      .split('\n')
      .find((text) => text.includes('request-0001') && text.includes('"status":200'))
    assert.equal(JSON.parse(line ?? '{}').traceId, TRACE)
    for (const { bytes } of collector.requests) for (const secret of [server.key, ...secrets]) assert.ok(!bytes.includes(secret))
  })

  test('an error is named, and what waits is sent before the server ends', async () => {
    await using collector = await startCollector()
    const server = await startServer({ RENDERERS: '1', OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` })
    const { status } = await caller(server).post('convert', { format: 'webp' }, { image: Buffer.from('no image') })
    assert.equal(status, 400)
    await server[Symbol.asyncDispose]()
    const root = find(collector.spans, 'POST /api/v1/convert')
    assert.equal(root.attributes['error.type'], 'invalid_image_type')
    assert.equal(root.failed, false, 'it is the caller who was wrong')
    assert.match(root.traceId, /^(?!0{32})[\da-f]{32}$/)
    assert.equal(root.parentId, '')
  })

  test('a batch: its images and its webhook are traces of their own, and a receiver is told of none', async () => {
    await using collector = await startCollector()
    await using receiver = await startReceiver()
    await using server = await startServer({
      RENDERERS: '1',
      EGRESS_ALLOW: '127.0.0.1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    })
    const archive = zipFile([
      { name: 'one.png', data: image },
      { name: 'two.png', data: image },
    ])
    const { batch } = await startBatch(server, archive, { format: 'webp', webhook_url: receiver.url })
    await untilEnded(server, batch.id)
    const namedEntry = (name: string) => collector.spans.filter((span) => span.name === name)
    await until(async () => namedEntry('batch image').length === 2 && namedEntry('deliver webhook').length === 1, 20_000)
    assert.deepEqual([namedEntry('batch image').length, namedEntry('deliver webhook').length], [2, 1])
    for (const root of namedEntry('batch image')) {
      assert.deepEqual([root.kind, root.parentId, root.attributes['pixelmill.batch.id']], [5, '', batch.id])
      assert.equal(root.attributes['pixelmill.outcome'], 'converted')
      assert.partialDeepStrictEqual(treeOf(collector.spans, root.spanId), { 'wait for renderer': {}, render: {}, 'blob put': {} })
    }
    const [delivery] = namedEntry('deliver webhook')
    assert.equal(delivery?.attributes['pixelmill.outcome'], 'delivered')
    assert.deepEqual(treeOf(collector.spans, delivery?.spanId ?? ''), { POST: {} })
    assert.equal(find(collector.spans, 'POST').attributes['server.address'], undefined, 'it is the caller’s')
    assert.equal(receiver.received[0]?.headers.traceparent, undefined)
  })

  test("a question to the operator's model carries the trace on, one to a caller's own does not", async () => {
    await using collector = await startCollector()
    await using server = await startAiServer(
      { platform: sees, other: sees },
      { RENDERERS: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    )
    const images = [dataUri(image)]
    const own = { images }
    const other = { images, ...server.ownModel('other') }
    const token = await server.signedIn('pro')
    assert.equal((await server.ask('alt-text', own, token)).status, 200)
    assert.equal((await server.ask('alt-text', other, token)).status, 200)
    const questionSpans = () => collector.spans.filter(({ name }) => name === 'ask model')
    const askedBy = (provider: string) => questionSpans().find((span) => span.attributes['pixelmill.provider'] === provider)
    const requestOf = (question?: CollectedSpan) =>
      collector.spans.find((span) => span.name === 'POST' && span.parentId === question?.spanId)
    // The request's span may come in an earlier or a later parcel than the question's.
    assert.ok(await until(async () => questionSpans().length >= 2 && requestOf(askedBy('platform')) !== undefined, 20_000))
    const platform = askedBy('platform')
    const headers = server.model.requests.map((request) => request.headers.traceparent)
    assert.deepEqual(headers, [`00-${platform?.traceId}-${requestOf(platform)?.spanId}-01`, undefined])
    const byok = askedBy('byok')
    assert.ok(byok && byok.traceId !== platform?.traceId)
    for (const { bytes } of collector.requests) for (const secret of secrets) assert.ok(!bytes.includes(secret))
  })

  test('a collector that fails costs spans and one line, never a caller', async () => {
    await using collector = await startCollector()
    collector.answerWith(500)
    await using server = await startServer({ RENDERERS: '1', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url })
    const { post } = caller(server)
    for (let sentCount = 0; sentCount < 3; sentCount++) {
      assert.equal((await post('convert', { format: 'webp' }, { image })).status, 200)
      const before = collector.requests.length
      assert.ok(await until(async () => collector.requests.length > before, 15_000))
    }
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('traces are lost'))
    assert.equal(lines.length, 1)
    assert.match(lines[0] ?? '', /the collector answered 500/)
    collector.answerWith(200)
    await post('convert', { format: 'webp' }, { image })
    assert.ok(await until(async () => collector.spans.some(({ name }) => name === 'render'), 15_000))
  })

  test('neither a collector that is away nor one that does not answer keeps the server from ending', {
    skip: skipByDay,
  }, async () => {
    let connections = 0
    const silent = createServer(() => connections++).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    // Port 9 is discard, which nobody serves.
    for (const at of [9, port]) {
      const server = await startServer({ RENDERERS: '1', OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${at}` })
      await fetch(`${server.url}/nowhere`)
      assert.ok(await until(async () => at === 9 || connections > 0, 15_000))
      // Others wait for the first, which the exporter tries to send for 10 s.
      for (let sentCount = 0; sentCount < 2; sentCount++) await fetch(`${server.url}/nowhere`)
      const began = performance.now()
      const { code } = await server.stop()
      assert.equal(code, 0)
      assert.ok(performance.now() - began < 8_000, `${performance.now() - began} ms`)
      assert.match(server.output(), /traces are lost/)
      await rm(server.dir, { recursive: true, force: true })
    }
    silent.closeAllConnections()
    silent.close()
  })

  test('of a tenth of traces a tenth is sent, whole', { skip: skipByDay }, async () => {
    await using collector = await startCollector()
    const server = await startServer({
      RENDERERS: '1',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.1',
    })
    // Of an id the SDK makes a number of 32 bits: by XOR of its four parts.
    for (const [id, times] of [
      [`${'0'.repeat(15)}1${'0'.repeat(16)}`, 1],
      [`${'f'.repeat(8)}${'0'.repeat(24)}`, 2],
    ] as const)
      for (let sentCount = 0; sentCount < times; sentCount++)
        await fetch(`${server.url}/nowhere`, { headers: { traceparent: `00-${id}-${PARENT}-01` } })
    await server[Symbol.asyncDispose]()
    assert.deepEqual([...new Set(collector.spans.map(({ traceId }) => traceId))], [`${'0'.repeat(15)}1${'0'.repeat(16)}`])
  })
})

test('without the packages a start says what to run', async (t) => {
  const folder = await tempFolder(t)
  assert.throws(() => loadSdk(folder), { name: 'StartError', message: /npm ci --prefix otel/ })
})

test('without an endpoint nothing of it is loaded', async () => {
  await using server = await startServer({ RENDERERS: '1', NODE_DEBUG: 'module' })
  await caller(server).post('convert', { format: 'webp' }, { image })
  // The interfaces alone come with prom-client.
  assert.match(server.output(), /prom-client/)
  assert.doesNotMatch(server.output(), /sdk-trace|otlp-/)
})

for (const [name, settings, complaint] of [
  ['an endpoint', { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' }, /OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL/],
  ['a sampler', { OTEL_TRACES_SAMPLER: 'some' }, /OTEL_TRACES_SAMPLER must be one of always_on/],
  ['a part', { OTEL_TRACES_SAMPLER_ARG: '2' }, /OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1/],
  ['a header', { OTEL_EXPORTER_OTLP_HEADERS: 'no pair' }, /OTEL_EXPORTER_OTLP_HEADERS must be pairs/],
] as const) {
  test(`${name} that cannot be is refused at the start`, async (t) => {
    const process = run({ DATA_DIR: await tempFolder(t), ...settings })
    assert.equal((await process.exited).code, 1)
    assert.match(process.output(), complaint)
  })
}
