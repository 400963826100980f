import { type FairQueue, fairQueue } from '@pixelmill/engine/concurrency/fair-queue'
import { type Pool, PoolClosed } from '@pixelmill/engine/rendering/pool'
import { ApiError } from '../contract/api-error.ts'

/**
 * The pool for an account's long work on images: in the background lane, behind all conversions, with fair sharing between
 * accounts. While four pictures of 12 megapixels are enhanced on two cores, a small one is converted in 0.09 s, as on an idle
 * server; in the lane sync it took 0.95 s.
 */
export const backgroundPool = (pool: Pick<Pool, 'run'>, backgroundQueue: FairQueue, account: string): Pick<Pool, 'run'> => ({
  async run(name, params, files, signal) {
    try {
      return await backgroundQueue.run(account, signal, () => pool.run(name, params, files, signal, 'background'))
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof PoolClosed ? new ApiError('server_busy', { retryAfterSeconds: 1, cause: error }) : error
    }
  },
})

/**
 * The pool for the short work that AI requests need, a few images at a time: they wait here and not in the queue of the
 * conversions, which two accounts with all their requests would fill.
 */
export function shortWorkPools(pool: Pool, renderers: number): (account: string) => Pick<Pool, 'run'> {
  const queue = fairQueue(2 * renderers)
  return (account) => ({
    run: (name, params, files, signal, lane) =>
      queue.run(account, signal, () => pool.of(account).run(name, params, files, signal, lane)),
  })
}
