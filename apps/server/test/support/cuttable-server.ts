import assert from 'node:assert/strict'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { openDatabase } from '../../src/database/database.ts'
import { makeAccount, makeLogin } from './accounts.ts'
import { caller, type ErrorBody } from './call.ts'
import { wayTo } from './cuttable-database.ts'
import { TARGETS } from './database-targets.ts'
import { send } from './json-call.ts'
import { startServer } from './server.ts'

type Reply = Promise<{ readonly status: number; readonly headers: Headers; readonly error: ErrorBody | undefined }>

/** A server whose connections to its database can be cut; all ends when the file of tests does. */
export async function startCuttable(test: { readonly after: (end: () => Promise<void>) => void }) {
  const ends: (() => unknown)[] = []
  test.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const target = await TARGETS[0].start({ after: (end: unknown) => void ends.push(end as () => unknown) })
  assert.ok('socketDir' in target)
  const way = await wayTo(target.socketDir)
  ends.push(() => way[Symbol.asyncDispose]())
  const server = await startServer({ DATABASE_URL: way.url, RENDERERS: '1' })
  ends.push(() => server[Symbol.asyncDispose]())
  const database = await openDatabase(target, () => {})
  ends.push(() => database.close())
  const { id, key } = await makeAccount(database, 'team')
  const token = await makeLogin(database, id)
  const image = await solid(8, 8, '#123456').png().toBuffer()

  const convert = async () => {
    const { status, headers, error } = await caller({ url: server.url, key }).post('convert', { format: 'png' }, { image })
    return { status, headers, error }
  }
  /** One request for each way to query the database: pool and Kysely, with and without a body. */
  const requests: Readonly<Record<string, () => Reply>> = {
    convert,
    usage: () => send(server.url, 'GET /api/v2/usage', { token: key }),
    'a login': () => send(server.url, 'GET /api/user', { token }),
    'sign-in': () => send(server.url, 'POST /api/auth/sign-in', { body: { email: 'ada@example.com', password: 'wrong' } }),
    'sign-up': () =>
      send(server.url, 'POST /api/auth/sign-up', { body: { email: 'ada@example.com', password: 'correct horse' } }),
  }

  async function assertAway(name: string): Promise<void> {
    const { status, headers, error } = (await requests[name]?.()) ?? assert.fail()
    assert.deepEqual([status, error?.statusMessage, headers.get('retry-after')], [503, 'database_unavailable', '5'], name)
  }
  const isBack = () => until(async () => (await convert()).status === 200, 20_000)

  /** A request is refused, and so is the check of readiness, until the connections are restored. */
  async function assertCut(how: 'closed' | 'silent'): Promise<void> {
    assert.equal((await convert()).status, 200)
    way.cut(how)
    await Promise.all(Object.keys(requests).map(assertAway))
    const { status, headers, body } = await send(server.url, 'GET /readyz')
    assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
    const { requestId, ...rest } = body
    assert.equal(requestId, headers.get('x-request-id'))
    assert.deepEqual(rest, {
      status: 'not ready',
      database: false,
      renderers: true,
      queue: true,
      storage: true,
      jobs: false,
      statusCode: 503,
      statusMessage: 'database_unavailable',
      message: 'Not ready: database, jobs.',
      docs: '/docs/errors#database_unavailable',
    })
    await way.restore()
    assert.ok(await isBack())
  }

  return { way, server, database, id, requests, isBack, assertCut }
}
