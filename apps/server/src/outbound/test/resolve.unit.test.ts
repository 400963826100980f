import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { test } from 'node:test'
import { resolveByDns } from '../resolve.ts'

const A = 1
const AAAA = 28
const NO_ERROR = 0
const SERVER_FAILURE = 2
const NAME_ERROR = 3

/** The answer for a name: addresses of each type as bytes, or a code of RFC 1035, §4.1.1. */
const zone: Readonly<Record<string, { readonly code?: number; readonly [type: number]: readonly number[] }>> = {
  both: { [A]: [192, 0, 2, 1], [AAAA]: [0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1] },
  old: { [A]: [192, 0, 2, 1] },
  neither: {},
  broken: { code: SERVER_FAILURE },
}

/** The answer of `zone` to the one question of a UDP datagram. */
function answer(query: Buffer): Buffer {
  const end = query.indexOf(0, 12)
  const name = query.toString('latin1', 13, 13 + (query[12] ?? 0))
  const type = query.readUInt16BE(end + 1)
  const foundValue = zone[name]
  const bytes = foundValue?.[type]
  const header = Buffer.from([
    query[0] ?? 0,
    query[1] ?? 0,
    0x81,
    0x80 | (foundValue ? (foundValue.code ?? NO_ERROR) : NAME_ERROR),
    0,
    1,
    0,
    bytes ? 1 : 0,
    0,
    0,
    0,
    0,
  ])
  const record = bytes ? Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes]) : Buffer.alloc(0)
  return Buffer.concat([header, query.subarray(12, end + 5), record])
}

const expected: readonly (readonly [name: string, result: readonly string[] | string])[] = [
  ['both', ['192.0.2.1', '2001:db8::1']],
  ['old', ['192.0.2.1']],
  ['neither', []],
  ['unknown', []],
  ['broken', 'ESERVFAIL'],
]
for (const [name, result] of expected)
  test(`a name server is asked for "${name}": ${result || 'nothing'}`, async () => {
    const server = createSocket('udp4', (query, { port, address }) => server.send(answer(query), port, address))
    server.bind(0, '127.0.0.1')
    await once(server, 'listening')
    const foundValue = await resolveByDns(`${name}.pixelmill.test`, [`127.0.0.1:${server.address().port}`]).catch(
      ({ code }) => code,
    )
    server.close()
    assert.deepEqual(foundValue, result)
  })
