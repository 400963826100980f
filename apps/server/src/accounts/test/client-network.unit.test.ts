import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clientNetwork } from '../throttle.ts'

const networks: readonly (readonly [network: string, ...addresses: string[]])[] = [
  ['192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '::FFFF:192.0.2.1'],
  ['192.0.2.2', '192.0.2.2'],
  ['2001:db8:0:1::/64', '2001:db8:0:1::', '2001:DB8::1:0:0:0:1', '2001:0db8:0000:0001:ffff:ffff:ffff:ffff'],
  ['2001:db8:0:2::/64', '2001:db8:0:2::1'],
  ['0:0:0:0::/64', '::1', '::'],
  ['fe80:0:0:0::/64', 'fe80::1%eth0', 'fe80::2'],
]
for (const [network, ...addresses] of networks) {
  test(`${addresses.join(', ')} → ${network}`, () => {
    for (const address of addresses) assert.equal(clientNetwork(address), network, address)
  })
}
