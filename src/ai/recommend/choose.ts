import type { InlineImage } from '../../contract/inline-image.ts'
import type { TaskReport } from '../../tasks/index.ts'
import { backgroundPool } from '../account-pool.ts'
import type { Ai } from '../ai.ts'
import type { Judgement } from './judgement.ts'
import type { UseCase } from './use-cases.ts'

export type Trials = TaskReport<'trials'>
type Tried = Trials['tried'][number]

/** What is known of an image when its format is chosen. */
export interface Known {
  readonly useCase: UseCase
  readonly trials: Trials
  /** Bytes of the file as it came. */
  readonly bytes: number
  readonly judgement: Judgement | undefined
}

/** Why a file is best left as it is. */
type Keeping = 'nothing smaller' | 'nothing suitable' | 'more inside' | 'more colours'

export interface Choice {
  /** Best first. */
  readonly ranked: readonly Tried[]
  /** The first of them, or undefined: the file stays. */
  readonly chosen: Tried | undefined
  readonly keeping: Keeping | undefined
}

/** SSIM by which a picture may stay below what its quality promises: the scale of quality is the mean of many, and they differ by this. */
export const TOLERANCE = 0.01

/** Without loss a drawing may have so many times the bytes of the smallest that looks as good: above that it is mostly shades. */
const MOST_FOR_EXACT = 3

/** What loses something must be smaller by this part, as for optimize: else each round would cost likeness for nothing. */
const WORTH = 0.05

export const looksAsPromised = ({ exact, ssim }: Tried, { promised }: Trials): boolean =>
  exact || promised === null || ssim >= promised - TOLERANCE

/** A choice among what was tried, by bytes where the looks allow. */
export function choose(known: Known): Choice {
  const { trials, useCase } = known
  const ranked = rank(known)
  const [best] = ranked
  const keep = (keeping: Keeping): Choice => ({ ranked, chosen: undefined, keeping })
  if (trials.hasMore) return keep('more inside')
  if (!best) return keep('nothing suitable')
  if (useCase.faithful && (trials.deep || trials.cmyk)) return keep('more colours')
  const stays = useCase.shown?.includes(trials.format) ?? true
  return isWorth(best, known) || !stays ? { ranked, chosen: best, keeping: undefined } : keep('nothing smaller')
}

const isWorth = (best: Tried, known: Known): boolean =>
  best.exact ? best.bytes < known.bytes : best.bytes <= known.bytes * (1 - WORTH) && !mustBeExact(known)

/** What was lossy before gains nothing by being kept without loss. */
const mustBeExact = ({ useCase, trials, judgement }: Known): boolean =>
  useCase.exactOf === 'all' || (!trials.lossy && judgement?.needsLossless === true)

function rank(known: Known): readonly Tried[] {
  const { trials } = known
  const exactFirst = prefersExact(known)
  const place = (tried: Tried): number => (!looksAsPromised(tried, trials) ? 2 : exactFirst && !tried.exact ? 1 : 0)
  return trials.tried.toSorted((one, other) => place(one) - place(other) || one.bytes - other.bytes)
}

function prefersExact(known: Known): boolean {
  const { tried, drawn, lossy } = known.trials
  if (mustBeExact(known)) return true
  const least = (some: readonly Tried[]) => Math.min(...some.map(({ bytes }) => bytes))
  const lossyOnes = tried.filter((one) => !one.exact && looksAsPromised(one, known.trials))
  return drawn && !lossy && least(tried.filter(({ exact }) => exact)) <= MOST_FOR_EXACT * least(lossyOnes)
}

/** CPU time of one image after which nothing more is begun: 6 megapixels in all formats of the web. */
const SECONDS = 6

/**
 * Tries the formats of a use on an image.
 * @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts
 */
export async function measure(
  { pool, backgroundQueue }: Pick<Ai, 'pool' | 'backgroundQueue'>,
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
  const { report } = await backgroundPool(pool, backgroundQueue, account).run('trials', params, [[bytes]], signal)
  return report
}
