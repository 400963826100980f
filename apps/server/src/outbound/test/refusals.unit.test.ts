import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { hostileUrls } from '../../../test/support/hostile-urls.ts'
import { listen } from '../../../test/support/listener.ts'
import { parseAllowList } from '../allow-list.ts'
import { openOutbound } from '../outbound.ts'
import { OutboundError } from '../outbound-error.ts'

/** What a foreign name server may answer. 203.0.113.9 and 2001:db8::1 are no public addresses, so the public one is of a root server. */
const ROOT_SERVER = '198.41.0.4'
const names: Readonly<Record<string, readonly string[]>> = {
  'public.example.com': [ROOT_SERVER],
  'rebind.evil.com': ['127.0.0.1'],
  'mixed.evil.com': [ROOT_SERVER, '10.0.0.1'],
  'meta.evil.com': ['169.254.169.254'],
  'v6map.evil.com': ['::ffff:127.0.0.1'],
  'nat64.evil.com': ['64:ff9b::7f00:1'],
  'compat.evil.com': ['::7f00:1'],
  'aaaa-loop.evil.com': ['::1'],
  'zone.evil.com': ['2606:4700::1%lo'],
  'empty.evil.com': [],
}
const listener = await listen((_, response) => response.end('reached'))
const outbound = openOutbound({ allow: parseAllowList(''), resolve: async (name) => names[name] ?? [] })
after(async () => {
  await outbound.close()
  await listener[Symbol.asyncDispose]()
})

const request = { deadlineMs: 2_000, maxBytes: 100 }

for (const [writtenText, reason] of hostileUrls) {
  const url = writtenText.replace(':P', `:${listener.port}`)
  test(`${writtenText.slice(0, 60)} is refused: ${reason}`, async () => {
    for (const attempt of [() => outbound.guardedFetch(url, request), () => outbound.checkAddress(url)]) {
      const error = await attempt().then(
        () => undefined,
        (thrownValue: unknown) => thrownValue,
      )
      assert.ok(error instanceof OutboundError, String(error))
      assert.deepEqual([error.kind, error.reason], [reason === 'no address' ? 'dns' : 'refused', reason])
      // What is inside the network is for the log alone.
      assert.doesNotMatch(error.message, new RegExp(reason))
    }
    assert.equal(listener.connections(), 0)
  })
}

for (const url of ['http://public.example.com:6379/', 'https://public.example.com/', `http://${ROOT_SERVER}/`])
  test(`${url} is public: it may be kept, and is dialled`, async () => {
    await outbound.checkAddress(url)
    const error = await outbound.guardedFetch(url, request).catch((thrownValue: unknown) => thrownValue)
    assert.ok(error instanceof OutboundError)
    assert.equal(error.kind, 'network')
    const { cause } = error.cause as Error
    assert.match((cause as Error).message, /a test tried to connect to 198\.41\.0\.4/)
  })
