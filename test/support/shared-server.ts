import { after, before } from 'node:test'
import { caller } from './call.ts'
import { type Server, startServer } from './server.ts'

/** One server with default settings for all tests of a file; it starts before the first and ends after the last. */
export function sharedServer(): { readonly post: ReturnType<typeof caller>['post'] } {
  let server: Server | undefined
  let post: ReturnType<typeof caller>['post'] | undefined
  before(async () => {
    server = await startServer()
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
