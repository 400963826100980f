import { ApiError } from '../../../contract/api-error.ts'
import type { InlineImage } from '../../../contract/inline-image.ts'
import { PoolClosed } from '../../../rendering/pool.ts'
import type { Ai } from '../../ai.ts'
import type { Trials } from './choose.ts'
import type { UseCase } from './use-cases.ts'

/** CPU time of one image after which nothing more is begun: 6 megapixels in all formats of the web. */
const SECONDS = 6

/**
 * Tries the formats of a use on an image, behind everybody who converts: in the background lane, the accounts in turn.
 * @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts
 */
export async function measure(
  { pool, trialTurns }: Pick<Ai, 'pool' | 'trialTurns'>,
  account: string,
  { bytes }: InlineImage,
  { longestSide, quality, lossy, exact, exactOf }: UseCase,
  drawn: boolean | undefined,
  signal: AbortSignal,
): Promise<Trials> {
  const params = {
    ...{ quality, lossy: [...lossy], exact: [...exact], exactOf, seconds: SECONDS },
    ...(longestSide !== undefined && { longestSide }),
    ...(drawn !== undefined && { drawn }),
  }
  try {
    const { report } = await trialTurns.take(account, signal, () => pool.study('trials', params, [bytes], signal, 'background'))
    return report
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof PoolClosed ? new ApiError('server_busy', { retryAfterSeconds: 1, cause: error }) : error
  }
}
