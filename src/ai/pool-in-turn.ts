import { ApiError } from '../contract/api-error.ts'
import { type Pool, PoolClosed } from '../rendering/pool.ts'
import type { AccountTurns } from './account-turns.ts'

/**
 * The pool for an account's long work on images, behind everybody who converts: in the background lane, the accounts in turn.
 * Where four pictures of 12 megapixels are enhanced on two cores, a small one is converted in 0.09 s, as if there were none; in
 * the lane sync, in 0.95 s.
 */
export const poolInTurn = (pool: Pick<Pool, 'run'>, backgroundTurns: AccountTurns, account: string): Pick<Pool, 'run'> => ({
  async run(name, params, files, signal) {
    try {
      return await backgroundTurns.take(account, signal, () => pool.run(name, params, files, signal, 'background'))
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof PoolClosed ? new ApiError('server_busy', { retryAfterSeconds: 1, cause: error }) : error
    }
  },
})
