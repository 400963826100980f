import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { listen } from '../../../test/support/listener.ts'
import { parseAllowList } from '../allow-list.ts'
import { openOutbound } from '../outbound.ts'
import { OutboundError } from '../outbound-error.ts'
import type { Resolve } from '../resolve.ts'

const request = { deadlineMs: 5_000, maxBytes: 1_000 }
const noAddress: Resolve = async () => []

/** What a guarded request ends in: the body, or the kind of failure. */
async function attempt(url: string, allowedText: string, resolve: Resolve = noAddress): Promise<string> {
  const outbound = openOutbound({ allow: parseAllowList(allowedText), resolve })
  try {
    const response = await outbound.guardedFetch(url, request)
    return await response.text()
  } catch (error) {
    if (error instanceof OutboundError) return error.kind
    throw error
  } finally {
    await outbound.close()
  }
}

/** `P` is the listener's port, `Q` another. */
const cases: readonly (readonly [allowed: string, url: string, result: string])[] = [
  ['', 'http://127.0.0.1:P/', 'refused'],
  ['127.0.0.1', 'http://127.0.0.1:P/', 'here'],
  ['127.0.0.1', 'http://[::ffff:127.0.0.1]:P/', 'here'],
  ['127.0.0.1', 'http://2130706433:P/', 'here'],
  ['127.0.0.1:P', 'http://127.0.0.1:P/', 'here'],
  ['127.0.0.1:Q', 'http://127.0.0.1:P/', 'refused'],
  ['127.0.0.0/8', 'http://127.0.0.1:P/', 'here'],
  ['127.0.0.0/8:P', 'http://127.0.0.1:P/', 'here'],
  ['127.0.0.0/8:Q', 'http://127.0.0.1:P/', 'refused'],
  ['127.0.0.1', 'http://10.0.0.1/', 'refused'],
  ['127.0.0.1', 'http://localhost:P/', 'refused'],
  ['::1, 127.0.0.2', 'http://127.0.0.1:P/', 'refused'],
  ['localhost', 'http://localhost:P/', 'here'],
  ['LOCALHOST.:P', 'http://localhost:P/', 'here'],
  ['localhost:Q', 'http://localhost:P/', 'refused'],
  ['localhost', 'http://127.0.0.1:P/', 'refused'],
  ['10.0.0.0/8, [fd00::1]:80 , ,localhost', 'http://localhost:P/', 'here'],
  ['127.0.0.1', 'http://hooks.example.com:P/', 'here'],
  ['127.0.0.1:Q', 'http://hooks.example.com:P/', 'refused'],
  ['hooks.example.com', 'http://sub.hooks.example.com:P/', 'refused'],
]
for (const [allowedText, url, result] of cases)
  test(`EGRESS_ALLOW=${allowedText || '(none)'}: ${url} is ${result}`, async () => {
    await using listener = await listen((_, response) => response.end('here'))
    const fill = (text: string) => text.replace('P', String(listener.port)).replace('Q', String(listener.port - 1))
    assert.equal(await attempt(fill(url), fill(allowedText), async () => ['127.0.0.1']), result)
    assert.equal(listener.connections(), result === 'here' ? 1 : 0)
  })

test('networks and addresses are told apart by family, length and port', () => {
  const allow = parseAllowList('10.0.0.0/9,fd00::/8,[fe80::/10]:80,[2001:db8::1],192.168.0.1:8080')
  const allows = (address: string, port: number) => allow.allowsAddress(address, port)
  assert.deepEqual([allows('10.127.0.1', 1), allows('10.128.0.1', 1), allows('::ffff:10.0.0.1', 1)], [true, false, true])
  assert.deepEqual([allows('fd12::1', 443), allows('fe80::1', 80), allows('fe80::1', 81)], [true, true, false])
  assert.deepEqual([allows('2001:db8::1', 1), allows('2001:db8::2', 1)], [true, false])
  assert.deepEqual([allows('fe80::1%lo', 80), allows('fe80::1%lo', 81)], [true, false])
  assert.deepEqual([allows('192.168.0.1', 8080), allows('192.168.0.1', 80)], [true, false])
})

const unreadable = [
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/-1',
  'fd00::/129',
  '10.0.0.0/8/8',
  'a b',
  'http://host',
  'host:0',
  'host:65536',
]
for (const text of [...unreadable, 'host:', '*.example.com', '[::1', '10.0.0.300', '10.0.0/8'])
  test(`"${text}" in an allow-list cannot be read`, () => {
    assert.throws(() => parseAllowList(`localhost,${text}`), /entry 2 is none/)
  })

test('a name that changes its address: what is connected to is what was checked, and each connection is checked', async () => {
  await using allowedOne = await listen((_, response) => response.end('allowed'), '127.0.0.2')
  await using forbidden = await listen((_, response) => response.end('forbidden'))
  const answers = [['127.0.0.2'], ['127.0.0.1'], ['127.0.0.2', '127.0.0.1'], []]
  let askedCount = 0
  const resolve: Resolve = async () => answers[askedCount++] ?? []
  const url = (port: number) => `http://rebind.example.com:${port}/`

  assert.equal(await attempt(url(allowedOne.port), '127.0.0.2', resolve), 'allowed')
  assert.equal(askedCount, 1)
  assert.equal(await attempt(url(forbidden.port), '127.0.0.2', resolve), 'refused')
  assert.equal(await attempt(url(allowedOne.port), '127.0.0.2', resolve), 'refused')
  assert.equal(await attempt(url(allowedOne.port), '127.0.0.2', resolve), 'dns')
  assert.deepEqual([askedCount, allowedOne.connections(), forbidden.connections()], [4, 1, 0])
})

test('a connection that is kept is not looked up again, and the server is called by its name', async () => {
  const hosts: (string | undefined)[] = []
  await using listener = await listen(({ headers }, response) => {
    hosts.push(headers.host)
    response.end('here')
  })
  let askedCount = 0
  const outbound = openOutbound({
    allow: parseAllowList('127.0.0.1'),
    async resolve() {
      askedCount++
      return ['127.0.0.1']
    },
  })
  for (const path of ['one', 'two']) {
    const response = await outbound.guardedFetch(`http://hooks.example.com:${listener.port}/${path}`, request)
    assert.equal(await response.text(), 'here')
    // A connection is free for the next request in the turn of the event loop after its last byte.
    for (let turns = 0; turns < 5; turns++) await setImmediate()
  }
  await outbound.close()
  const host = `hooks.example.com:${listener.port}`
  assert.deepEqual([hosts, askedCount, listener.connections()], [[host, host], 1, 1])
})

test('a look-up that fails is dns, with the cause for the log', async () => {
  const cause = new Error('SERVFAIL')
  const outbound = openOutbound({
    allow: parseAllowList(''),
    resolve: async () => {
      throw cause
    },
  })
  for (const call of [() => outbound.checkAddress('https://a.org/'), () => outbound.guardedFetch('https://a.org/', request)])
    await assert.rejects(call, { name: 'OutboundError', kind: 'dns', message: /no public address that can be found/, cause })
  await outbound.close()
})

test('the operator may call any address', async () => {
  await using listener = await listen((_, response) => response.end('here'))
  const outbound = openOutbound({ allow: parseAllowList('') })
  for (const host of ['127.0.0.1', 'localhost']) {
    const response = await outbound.operatorFetch(`http://${host}:${listener.port}/`, request)
    assert.equal(await response.text(), 'here')
  }
  await outbound.close()
})

test("to the operator's server bytes can be sent, and it may answer with a picture of many megabytes", async () => {
  const picture = Buffer.alloc(9 * 1024 * 1024, 1)
  await using listener = await listen(async (askedMessage, response) => {
    const sentBytes = Buffer.concat(await askedMessage.toArray())
    response.end(sentBytes.equals(Buffer.of(0, 255, 128)) ? picture : 'not what was sent')
  })
  const outbound = openOutbound({ allow: parseAllowList('') })
  const sending = { method: 'POST', body: Uint8Array.of(0, 255, 128), deadlineMs: 5_000, maxBytes: picture.length } as const
  const response = await outbound.operatorFetch(listener.url, sending)
  let bytes = 0
  for await (const chunk of response.chunks()) bytes += chunk.length
  assert.equal(bytes, picture.length)
  await outbound.close()
})
