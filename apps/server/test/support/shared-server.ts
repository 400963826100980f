import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { after, before } from 'node:test'
import { caller } from './call.ts'
import { type Server, startServer } from './server.ts'

type Settings = Readonly<Record<string, string>>

/** The environment variable with the address of the pool that server-pool.ts opens. */
export const POOL = 'PIXELMILL_TEST_POOL'

/** What a test knows of a server from the pool. */
export type Lent = Pick<Server, 'url' | 'key' | 'dir' | 'pid'>

/** A server that other test files use before and after, but not at the same time. Tests must not stop or inspect it. */
export type SharedServer = Lent & AsyncDisposable

/**
 * A server with these settings. Under `npm test`, which runs many files, the pool lends it with a new administrator and other
 * accounts in its tables: a test counts only what accounts that it made did. A file run by itself starts one.
 */
export async function shareServer(settings: Settings = {}): Promise<SharedServer> {
  const pool = process.env[POOL]
  if (pool === undefined) return startServer(settings)
  const socket = connect(pool)
  socket.write(`${JSON.stringify(settings)}\n`)
  const [line] = await once(createInterface(socket), 'line')
  const lentValue = JSON.parse(line) as Lent | { readonly fault: string }
  if ('fault' in lentValue) throw new Error(lentValue.fault)
  return { ...lentValue, [Symbol.asyncDispose]: async () => void socket.destroy() }
}

/** One server with default settings for all tests of a file; it is lent before the first and given back after the last. */
export function sharedServer(): { readonly post: ReturnType<typeof caller>['post'] } {
  let server: SharedServer | undefined
  let post: ReturnType<typeof caller>['post'] | undefined
  before(async () => {
    server = await shareServer()
    post = caller(server).post
  })
  after(() => server?.[Symbol.asyncDispose]())
  return {
    post: (...call) => {
      if (!post) throw new Error('the server starts with the first test')
      return post(...call)
    },
  }
}
