import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { parseAllowList } from '../../src/outbound/allow-list.ts'
import { openOutbound } from '../../src/outbound/outbound.ts'
import { OutboundError } from '../../src/outbound/outbound-error.ts'
import { listen } from '../support/listener.ts'

/** What a stranger's name server may say. 203.0.113.9 and 2001:db8::1 are no public addresses, so the public one is of a root server. */
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

/** `P` stands for the port of a listener on every loopback address, which must never be reached. */
const refusals: readonly (readonly [url: string, reason: string])[] = [
  ['http://127.0.0.1:P/', 'loopback'],
  ['http://127.1:P/', 'loopback'],
  ['http://0x7f000001:P/', 'loopback'],
  ['http://0x7f.1:P/', 'loopback'],
  ['http://2130706433:P/', 'loopback'],
  ['http://017700000001:P/', 'loopback'],
  ['http://0177.0.0.1:P/', 'loopback'],
  ['http://127.0.0.1.:P/', 'loopback'],
  ['http://①②⑦.⓪.⓪.①:P/', 'loopback'],
  ['http://127。0。0。1:P/', 'loopback'],
  ['http://0.0.0.0:P/', 'unspecified'],
  ['http://0:P/', 'unspecified'],
  ['http://127.255.255.254:P/', 'loopback'],
  ['http://[::1]:P/', 'loopback'],
  ['http://[::]:P/', 'unspecified'],
  ['http://[0:0:0:0:0:0:0:1]:P/', 'loopback'],
  ['http://[::ffff:127.0.0.1]:P/', 'loopback'],
  ['http://[::ffff:7f00:1]:P/', 'loopback'],
  ['http://[::127.0.0.1]:P/', 'not global unicast'],
  ['http://[::ffff:0:127.0.0.1]:P/', 'rfc6145'],
  ['http://[64:ff9b::127.0.0.1]:P/', 'rfc6052'],
  ['http://[64:ff9b:1::7f00:1]:P/', 'rfc6052'],
  ['http://[2002:7f00:1::]:P/', '6to4'],
  ['http://[2001:0:7f00:1::1]:P/', 'teredo'],
  ['http://[fe80::1]:P/', 'linkLocal'],
  ['http://[fec0::1]/', 'deprecatedSiteLocal'],
  ['http://[fc00::1]/', 'uniqueLocal'],
  ['http://[fd00:ec2::254]/latest/meta-data/', 'uniqueLocal'],
  ['http://[ff02::1]/', 'multicast'],
  ['http://[2001:db8::1]/', 'reserved'],
  ['http://[3fff::1]/', 'reserved'],
  ['http://[5f00::1]/', 'segmentRouting'],
  ['http://[100::1]/', 'discard'],
  ['http://[4000::1]/', 'not global unicast'],
  ['http://[2606:4700::5efe:127.0.0.1]/', 'isatap'],
  ['http://[2606:4700::200:5efe:127.0.0.1]/', 'isatap'],
  ['http://10.0.0.1/', 'private'],
  ['http://172.16.0.1/', 'private'],
  ['http://172.31.255.255/', 'private'],
  ['http://192.168.1.1/', 'private'],
  ['http://169.254.169.254/latest/meta-data/', 'linkLocal'],
  ['http://169.254.170.2/', 'linkLocal'],
  ['http://100.100.100.200/', 'carrierGradeNat'],
  ['http://100.64.0.1/', 'carrierGradeNat'],
  ['http://192.0.0.192/', 'reserved'],
  ['http://168.63.129.16/', 'azure wire server'],
  ['http://[::ffff:168.63.129.16]/', 'azure wire server'],
  ['http://198.18.0.1/', 'reserved'],
  ['http://192.0.2.1/', 'reserved'],
  ['http://203.0.113.9/', 'reserved'],
  ['http://224.0.0.1/', 'multicast'],
  ['http://240.0.0.1/', 'reserved'],
  ['http://255.255.255.255/', 'broadcast'],
  ['http://192.88.99.1/', 'reserved'],
  ['http://localhost:P/', 'single-label name'],
  ['http://LOCALHOST.:P/', 'single-label name'],
  ['http://foo.localhost:P/', 'private name'],
  ['http://metadata.google.internal/', 'private name'],
  ['http://metadata/', 'single-label name'],
  ['http://kubernetes.default.svc/', 'private name'],
  ['http://printer.local/', 'private name'],
  ['http://rebind.evil.com:P/', 'loopback'],
  ['http://mixed.evil.com/', 'private'],
  ['http://meta.evil.com/', 'linkLocal'],
  ['http://v6map.evil.com:P/', 'loopback'],
  ['http://nat64.evil.com/', 'rfc6052'],
  ['http://compat.evil.com:P/', 'not global unicast'],
  ['http://aaaa-loop.evil.com:P/', 'loopback'],
  ['http://zone.evil.com:P/', 'not an address'],
  ['http://empty.evil.com/', 'no address'],
  ['http://user:pw@public.example.com/', 'credentials in the URL'],
  ['http://public.example.com@127.0.0.1:P/', 'credentials in the URL'],
  ['http://127.0.0.1:P#@public.example.com/', 'loopback'],
  ['http://127.0.0.1:P\\@public.example.com/', 'loopback'],
  ['file:///etc/passwd', 'not an http or https URL'],
  ['gopher://127.0.0.1:70/_x', 'not an http or https URL'],
  ['ftp://public.example.com/', 'not an http or https URL'],
  ['data:text/plain,hi', 'not an http or https URL'],
  ['unix:/var/run/docker.sock', 'not an http or https URL'],
  ['javascript:alert(1)', 'not an http or https URL'],
  ['//127.0.0.1/', 'not an http or https URL'],
  ['http://', 'not an http or https URL'],
  ['http://[::1%25lo]:80/', 'not an http or https URL'],
  [`https://public.example.com/${'a'.repeat(2_048)}`, 'not an http or https URL'],
  ['http://public.example.com:22/', 'port 22'],
  ['http://public.example.com:25/', 'port 25'],
  ['https://public.example.com:6000/', 'port 6000'],
]

const request = { deadlineMs: 2_000, maxBytes: 100 }

for (const [written, reason] of refusals) {
  const url = written.replace(':P', `:${listener.port}`)
  test(`${written.slice(0, 60)} is refused: ${reason}`, async () => {
    for (const attempt of [() => outbound.guardedFetch(url, request), () => outbound.checkAddress(url)]) {
      const error = await attempt().then(
        () => undefined,
        (thrown: unknown) => thrown,
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
    const error = await outbound.guardedFetch(url, request).catch((thrown: unknown) => thrown)
    assert.ok(error instanceof OutboundError)
    assert.equal(error.kind, 'network')
    const { cause } = error.cause as Error
    assert.match((cause as Error).message, /a test tried to connect to 198\.41\.0\.4/)
  })
