import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin, openServerDatabase } from '../../../test/support/accounts.ts'
import { saveSource, type TestSource } from '../../../test/support/delivery.ts'
import { type Listener, listen } from '../../../test/support/listener.ts'
import { type Server, startServer } from '../../../test/support/server.ts'
import type { Database } from '../../database/database.ts'

/** Misses of one account beside an account whose origin hangs. */

const image = await photo(64, 48).jpeg().toBuffer()
let hanging: Listener
let origin: Listener
let server: Server
let database: Database
let attacker: TestSource
let other: TestSource
before(async () => {
  hanging = await listen(() => {})
  origin = await listen((_request, response) => response.end(image))
  server = await startServer({ RENDERERS: '1', EGRESS_ALLOW: '127.0.0.1' })
  database = await openServerDatabase(server.dir)
  attacker = await source('hangs', hanging)
  other = await source('answers', origin)
})
after(async () => {
  await database.close()
  await server[Symbol.asyncDispose]()
  await Promise.all([hanging, origin].map((one) => one[Symbol.asyncDispose]()))
})

async function source(name: string, { url }: Listener): Promise<TestSource> {
  const { id } = await makeAccount(database, 'team')
  return saveSource(server.url, await makeLogin(database, id), name, { type: 'web', baseUrl: url })
}

/** Sends requests on connections of their own, whose answers nobody reads. */
async function sendMany(paths: readonly string[]): Promise<readonly Socket[]> {
  const { port, hostname } = new URL(server.url)
  const request = (path: string) => `GET ${attacker.sign(path)} HTTP/1.1\r\nhost: x\r\n\r\n`
  return await Promise.all(
    paths.map(
      (path) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect(Number(port), hostname, () => socket.write(request(path), () => resolve(socket)))
          socket.once('error', reject)
        }),
    ),
  )
}
const names = (kind: string, count: number) => Array.from({ length: count }, (_, n) => `${kind}-${n}.jpg?w=9`)

async function missesOfOther(): Promise<void> {
  const answers = await Promise.all(names('beside', 20).map((name) => other.get(name)))
  assert.deepEqual([...new Set(answers.map(({ status, cache }) => `${status} ${cache}`))], ['200 miss'])
}

test('an origin that hangs, with clients that wait: no other account is refused', async () => {
  const waiting = await sendMany(names('waits', 400))
  assert.ok(await until(async () => hanging.answering() > 0))
  await missesOfOther()
  for (const socket of waiting) socket.destroy()
  // What nobody waits for any more is neither read on nor begun.
  assert.ok(await until(async () => hanging.answering() === 0), `${hanging.answering()} are read`)
  assert.ok(hanging.connections() < 40, `${hanging.connections()} connections to the origin`)
})
