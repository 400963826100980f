import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { makeAccount, makeLogin } from '../../../test/support/accounts.ts'
import { TARGETS } from '../../../test/support/database-targets.ts'
import { saveSource, type TestSource } from '../../../test/support/delivery.ts'
import { type Listener, listen } from '../../../test/support/listener.ts'
import { readMetric } from '../../../test/support/read-metric.ts'
import type { Server } from '../../../test/support/server.ts'
import { type Running, serverOn } from '../../../test/support/server-on.ts'
import type { Database } from '../../database/database.ts'

/** Three servers with one database and one folder for files. */

const image = await photo(1_200, 900).jpeg().toBuffer()

for (const target of TARGETS)
  describe(target.name, { skip: target.skip }, () => {
    let answer: (request: IncomingMessage, response: ServerResponse) => void = (_request, response) => void response.end(image)
    const askedTexts: string[] = []
    const ends: (() => Promise<void>)[] = []
    let origin: Listener
    let database: Database
    let servers: readonly Server[]
    let source: TestSource
    let accountId: string
    before(async () => {
      origin = await listen((request, response) => {
        askedTexts.push(request.url ?? '')
        answer(request, response)
      })
      // A connection of the thousand that a server closes as idle cannot carry the next request.
      const settings = { EGRESS_ALLOW: '127.0.0.1', IDLE_CONNECTIONS_PER_ADDRESS: '0' }
      const running: Running = await serverOn(target, { after: (end) => void ends.push(end) }, settings)
      database = running.database
      const beside = () => running.another({ DATA_DIR: running.server.dir })
      servers = [running.server, await beside(), await beside()]
      const { id } = await makeAccount(database, 'team')
      accountId = id
      const token = await makeLogin(database, id)
      source = await saveSource(running.server.url, token, 'shop', { type: 'web', baseUrl: origin.url })
    })
    after(async () => {
      for (const end of ends) await end()
      await origin[Symbol.asyncDispose]()
    })
    const everywhere = (rest: string, times: number) =>
      Promise.all(Array.from({ length: times }, (_, n) => source.get(rest, {}, servers[n % servers.length]?.url)))
    const calls = async () => {
      const { rows } = await database.pool.query<{ used: number }>(
        'select coalesce(sum(used), 0)::int as used from usage_month where account_id = $1',
        [accountId],
      )
      return rows[0]?.used
    }
    const renders = async () =>
      (await Promise.all(servers.map((server) => readMetric(server, 'render_seconds_count', { operation: 'recipe' })))).reduce(
        (sum: number, count) => sum + (count ?? 0),
        0,
      )

    test('a thousand requests for one missing image: one request to the origin, one render, one call', async (t) => {
      const began = performance.now()
      await source.get('a.jpg?w=799&f=webp')
      const alone = performance.now() - began
      const before = await calls()
      const renderedBefore = await renders()
      const askedBefore = askedTexts.length
      const start = performance.now()
      const all = await everywhere('b.jpg?w=800&f=webp', 1_000)
      t.diagnostic(`alone ${alone.toFixed(0)} ms, a thousand at once ${(performance.now() - start).toFixed(0)} ms`)
      assert.deepEqual([...new Set(all.map(({ status }) => status))], [200])
      assert.equal(all.filter(({ cache }) => cache === 'miss').length, 1)
      assert.equal(new Set(all.map(({ headers }) => headers.get('etag'))).size, 1)
      assert.deepEqual([askedTexts.length - askedBefore, (await renders()) - renderedBefore], [1, 1])
      assert.equal(await calls(), (before ?? 0) + 1)
      for (const { cache } of await everywhere('b.jpg?w=800&f=webp', 3)) assert.equal(cache, 'hit')
    })

    test('one server makes a popular image smaller for all', async () => {
      const get = (at?: string) => source.get('popular.jpg?w=320', { accept: 'image/avif' }, at)
      const fast = await get()
      const isSmall = async ({ url }: Server) => (await get(url)).headers.get('etag') !== fast.headers.get('etag')
      assert.ok(await until(async () => (await Promise.all(servers.map(isSmall))).every(Boolean)))
      const counts = await Promise.all(servers.map((server) => readMetric(server, 'delivery_refined_total')))
      assert.equal(
        counts.reduce((sum: number, count) => sum + (count ?? 0), 0),
        1,
      )
    })

    test('a purge is seen by all', async (t) => {
      const rest = 'purged.jpg?w=60&f=webp'
      await everywhere(rest, 3)
      const [first] = await everywhere(rest, 3)
      const changedBytes = await photo(900, 1_200).jpeg().toBuffer()
      answer = (_request, response) => void response.end(changedBytes)
      await source.purge()
      const began = performance.now()
      const isNew = async () =>
        (await everywhere(rest, 3)).every(({ headers }) => headers.get('etag') !== first?.headers.get('etag'))
      assert.ok(await until(isNew))
      t.diagnostic(`seen by three servers after ${(performance.now() - began).toFixed(0)} ms`)
      for (let n = 0; n < 20; n++) assert.ok(await isNew(), 'an answer of the old generation after a new one')
    })

    test('a server that dies while it renders: another goes on', async (t) => {
      const [, , third] = servers
      if (!third) throw new Error('there are three servers')
      let isHeld = false
      answer = (_request, response) => {
        // The first to ask hangs, as if its download took long.
        if (isHeld) response.end(image)
        isHeld = true
      }
      const dead = source.get('dying.jpg?w=70', {}, third.url).catch(() => 'broken off')
      assert.ok(await until(async () => isHeld))
      const others = Promise.all(servers.slice(0, 2).map(({ url }) => source.get('dying.jpg?w=70', {}, url)))
      // A third picture is made meanwhile, by the same servers and the same lock's connection.
      assert.ok((await everywhere('beside.jpg?w=70', 2)).every(({ status }) => status === 200))
      assert.equal(askedTexts.filter((url) => url === '/dying.jpg').length, 1, 'the others wait')
      const began = performance.now()
      await third.stop('SIGKILL')
      assert.deepEqual(
        (await others).map(({ status }) => status),
        [200, 200],
      )
      t.diagnostic(`the others answered ${(performance.now() - began).toFixed(0)} ms after the kill`)
      assert.equal(await dead, 'broken off')
      assert.equal(askedTexts.filter((url) => url === '/dying.jpg').length, 2)
    })
  })
