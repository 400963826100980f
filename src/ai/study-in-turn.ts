import { ApiError } from '../contract/api-error.ts'
import type { InlineImage } from '../contract/inline-image.ts'
import { PoolClosed } from '../rendering/pool.ts'
import type { StudyName, StudyParams, StudyReport } from '../studies/index.ts'
import type { Ai } from './ai.ts'

/**
 * Long work on an image, behind everybody who converts: in the background lane, the accounts in turn. Where four pictures of 12
 * megapixels are enhanced on two cores, a small one is converted in 0.09 s, as if there were none; in the lane sync, in 0.95 s.
 * @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts
 */
export async function studyInTurn<Name extends StudyName>(
  { pool, backgroundTurns }: Pick<Ai, 'pool' | 'backgroundTurns'>,
  account: string,
  study: Name,
  params: StudyParams<Name>,
  { bytes }: InlineImage,
  signal: AbortSignal,
): Promise<{ readonly report: StudyReport<Name>; readonly files: readonly Buffer[] }> {
  try {
    return await backgroundTurns.take(account, signal, () => pool.study(study, params, [bytes], signal, 'background'))
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof PoolClosed ? new ApiError('server_busy', { retryAfterSeconds: 1, cause: error }) : error
  }
}
