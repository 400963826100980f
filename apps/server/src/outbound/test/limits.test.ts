import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { until } from '@pixelmill/engine/test/support/until'
import { listen } from '../../../test/support/listener.ts'
import { parseAllowList } from '../allow-list.ts'
import { openOutbound } from '../outbound.ts'
import { OutboundError } from '../outbound-error.ts'
import type { OutboundRequest } from '../send.ts'

const MiB = 1024 * 1024
/** 64 MiB of nothing in 65 kB: members of a gzip file may follow each other, so that the test itself needs little memory. */
const BOMB = Buffer.concat(Array.from({ length: 64 }, () => gzipSync(Buffer.alloc(MiB))))

/** Sends a piece again and again, as fast as it is read or with a pause. */
const endless =
  (piece: Buffer, pauseMs = 0, headers = {}): RequestListener =>
  async (_, response) => {
    response.writeHead(200, headers)
    while (!response.destroyed) {
      if (!response.write(piece) || pauseMs > 0) await sleep(pauseMs || 1)
    }
  }

/** Calls a server once: how it ended, after how long, and by how much the peak of the process's memory grew. */
async function call(answer: RequestListener, settings: Partial<OutboundRequest> = {}) {
  await using listener = await listen(answer)
  const outbound = openOutbound({ allow: parseAllowList('127.0.0.1') })
  const peak = process.resourceUsage().maxRSS
  const began = performance.now()
  let endedText = ''
  let bytes = 0
  try {
    const response = await outbound.guardedFetch(listener.url, { deadlineMs: 5_000, maxBytes: 2 * MiB, ...settings })
    endedText = String(response.status)
    for await (const chunk of response.chunks()) bytes += chunk.length
  } catch (error) {
    endedText = error instanceof OutboundError ? error.kind : String(error)
  }
  const ms = performance.now() - began
  const grownMiB = (process.resourceUsage().maxRSS - peak) / 1024
  await outbound.close()
  const isClosed = await until(async () => listener.answering() === 0)
  return { ended: endedText, bytes, ms, grownMiB, closed: isClosed, connections: listener.connections() }
}

const bomb: RequestListener = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB)
const noise = Buffer.alloc(65_536, ' ')

/** What no server should do, and how it ends: soon, or at the deadline, where that is near. */
const hostile: readonly (readonly [name: string, answer: RequestListener, ended: string])[] = [
  ['a gzip bomb of 64 MiB', bomb, 'too_large'],
  ['an endless body', endless(noise), 'too_large'],
  ['a drip that never ends', endless(Buffer.from(' '), 20), 'timeout'],
  ['headers, and then nothing', (_, response) => response.writeHead(200).flushHeaders(), 'timeout'],
  ['silence', () => {}, 'timeout'],
  [
    'provisional answers without end',
    async (_, response) => {
      while (!response.destroyed) {
        response.writeProcessing()
        await sleep(10)
      }
    },
    'timeout',
  ],
]
for (const [name, answer, endedText] of hostile)
  test(`${name} ends as ${endedText}, soon and in little memory`, async () => {
    const result = await call(answer, { deadlineMs: endedText === 'timeout' ? 600 : 60_000 })
    assert.equal(result.ended, endedText)
    assert.ok(result.bytes <= 2 * MiB)
    assert.ok(result.ms < 20_000, `${result.ms} ms`)
    assert.ok(result.grownMiB < 20, `${result.grownMiB} MiB`)
    assert.ok(result.closed, 'the connection is closed')
  })

test('a body that inflates to nothing has an end before its deadline', async () => {
  const members = Buffer.concat(Array.from({ length: 500 }, () => gzipSync('')))
  const { ended, bytes, closed } = await call(endless(members, 0, { 'content-encoding': 'gzip' }), { deadlineMs: 30_000 })
  assert.deepEqual([ended, bytes, closed], ['too_large', 0, true])
})

test('a large answer within the cap is inflated only as it is read', async () => {
  await using listener = await listen(bomb)
  const outbound = openOutbound({ allow: parseAllowList('127.0.0.1') })
  const peak = process.resourceUsage().maxRSS
  const chunks = (await outbound.guardedFetch(listener.url, { deadlineMs: 20_000, maxBytes: 64 * MiB })).chunks()
  let bytes = (await chunks.next()).value?.length ?? 0
  // Until what is inflated ahead of the reader no longer grows.
  let highest = peak
  const isStill = async () => {
    const before = highest
    highest = process.resourceUsage().maxRSS
    return highest === before
  }
  assert.ok(await until(isStill))
  const grownMiB = (highest - peak) / 1024
  assert.ok(grownMiB < 20, `${grownMiB} MiB`)
  for await (const chunk of chunks) bytes += chunk.length
  assert.equal(bytes, 64 * MiB)
  await outbound.close()
})

test('the cap is exact', async () => {
  const answer: RequestListener = (_, response) => response.end(Buffer.alloc(1_000))
  assert.equal((await call(answer, { maxBytes: 1_000 })).ended, '200')
  assert.equal((await call(answer, { maxBytes: 999 })).ended, 'too_large')
})

for (const status of [301, 302, 303, 307, 308])
  test(`a redirect ${status} is an answer, not followed`, async () => {
    const answer: RequestListener = ({ url }, response) =>
      response.writeHead(url === '/' ? status : 200, { location: '/next' }).end()
    const { ended, connections } = await call(answer)
    assert.deepEqual([ended, connections], [String(status), 1])
  })

/** Faults of the protocol. */
const broken: readonly (readonly [name: string, answer: RequestListener, ended: string])[] = [
  ['no answer but an end', ({ socket }) => socket.destroy(), 'network'],
  ['no HTTP', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'), 'network'],
  ['headers of 30 kB', (_, response) => response.writeHead(200, { 'x-long': 'a'.repeat(30_000) }).end(), 'network'],
  [
    'a body shorter than promised',
    (_, response) => response.writeHead(200, { 'content-length': 100 }).end('a', () => response.socket?.destroy()),
    'network',
  ],
  ['a body that is no gzip', (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('plain'), 'network'],
  ['a status beyond those of HTTP', ({ socket }) => socket.end('HTTP/1.1 999 Odd\r\nContent-Length: 0\r\n\r\n'), '999'],
]
for (const [name, answer, endedText] of broken)
  test(`${name}: ${endedText}`, async () => {
    assert.equal((await call(answer)).ended, endedText)
  })

test('the reason of an aborted signal is what is thrown, before and during the answer', async () => {
  const reason = new Error('the client left')
  assert.equal((await call(() => {}, { signal: AbortSignal.abort(reason) })).ended, String(reason))
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 100)
  const during = await call(endless(Buffer.from(' '), 20), { signal: controller.signal })
  assert.deepEqual([during.ended, during.closed], [String(reason), true])
})

test('what is sent arrives, and asks for no compression', async () => {
  let seenValues: readonly unknown[] = []
  await using listener = await listen(async (request, response) => {
    const body = (await request.toArray()).join('')
    seenValues = [request.method, request.headers['accept-encoding'], request.headers['x-signature'], body]
    response.writeHead(201, { 'x-answer': 'yes' }).end('grün')
  })
  const outbound = openOutbound({ allow: parseAllowList('127.0.0.1') })
  const request = {
    method: 'POST',
    headers: { 'x-signature': 'v1' },
    body: '{"a":"ü"}',
    deadlineMs: 5_000,
    maxBytes: 100,
  } as const
  const response = await outbound.guardedFetch(listener.url, request)
  assert.deepEqual([response.status, response.header('X-Answer'), await response.text()], [201, 'yes', 'grün'])
  assert.deepEqual(seenValues, ['POST', 'identity', 'v1', '{"a":"ü"}'])
  await outbound.close()
})

test('an answer that is discarded, or forgotten, lets go of its connection', async () => {
  for (const discard of [true, false]) {
    await using listener = await listen(endless(noise))
    const outbound = openOutbound({ allow: parseAllowList('127.0.0.1') })
    const response = await outbound.guardedFetch(listener.url, { deadlineMs: discard ? 60_000 : 300, maxBytes: 100 })
    if (discard) response.discard()
    assert.ok(await until(async () => listener.answering() === 0))
    await outbound.close()
  }
})
