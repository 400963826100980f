import type { InlineImage } from '../../../contract/inline-image.ts'
import type { Ai } from '../../ai.ts'
import { poolInTurn } from '../../pool-in-turn.ts'
import type { Trials } from './choose.ts'
import type { UseCase } from './use-cases.ts'

/** CPU time of one image after which nothing more is begun: 6 megapixels in all formats of the web. */
const SECONDS = 6

/**
 * Tries the formats of a use on an image.
 * @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts
 */
export async function measure(
  { pool, backgroundTurns }: Pick<Ai, 'pool' | 'backgroundTurns'>,
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
  const { report } = await poolInTurn(pool, backgroundTurns, account).study('trials', params, [bytes], signal)
  return report
}
