import type { InlineImage } from '@pixelmill/engine/crops/inline-image'
import type { TaskReport } from '@pixelmill/engine/tasks/index'
import { backgroundPool } from '../account-pool.ts'
import type { Ai } from '../ai.ts'
import type { Judgement } from './judgement.ts'
import type { UseCase } from './use-cases.ts'

export type Trials = TaskReport<'trials'>
type Tried = Trials['tried'][number]

/** What is known about an image when its format is chosen. */
export interface Known {
  readonly useCase: UseCase
  readonly trials: Trials
  /** Bytes of the file as it came. */
  readonly bytes: number
  readonly judgement: Judgement | undefined
}

/** Why a file is best kept as it is. */
type Keeping = 'nothing smaller' | 'nothing suitable' | 'more inside' | 'more colours'

export interface Choice {
  /** Best first. */
  readonly ranked: readonly Tried[]
  /** The first of them; undefined: keep the file. */
  readonly chosen: Tried | undefined
  readonly keeping: Keeping | undefined
}

/** Tolerance in SSIM below what the quality promises: the quality scale is a mean over many pictures, which differ by this much. */
export const TOLERANCE = 0.01

/** A lossless drawing may have this many times the bytes of the smallest that looks as good; beyond, it is mostly shades. */
const MOST_FOR_EXACT = 3

/** A lossy result must be smaller by this share, as for optimize: otherwise each round would lose quality for nothing. */
const WORTH = 0.05

export const looksAsPromised = ({ exact, ssim }: Tried, { promised }: Trials): boolean =>
  exact || promised === null || ssim >= promised - TOLERANCE

/** Chooses the smallest of what was tried and looks as it should. */
export function choose(facts: Known): Choice {
  const { trials, useCase } = facts
  const rankedFormats = rank(facts)
  const [best] = rankedFormats
  const keep = (keeping: Keeping): Choice => ({ ranked: rankedFormats, chosen: undefined, keeping })
  if (trials.hasMore) return keep('more inside')
  if (!best) return keep('nothing suitable')
  if (useCase.faithful && (trials.deep || trials.cmyk)) return keep('more colours')
  const stays = useCase.shown?.includes(trials.format) ?? true
  return isWorth(best, facts) || !stays ? { ranked: rankedFormats, chosen: best, keeping: undefined } : keep('nothing smaller')
}

const isWorth = (best: Tried, facts: Known): boolean =>
  best.exact ? best.bytes < facts.bytes : best.bytes <= facts.bytes * (1 - WORTH) && !mustBeExact(facts)

/** A lossy source gains nothing from a lossless format. */
const mustBeExact = ({ useCase, trials, judgement }: Known): boolean =>
  useCase.exactOf === 'all' || (!trials.lossy && judgement?.needsLossless === true)

function rank(facts: Known): readonly Tried[] {
  const { trials } = facts
  const exactFirst = prefersExact(facts)
  const place = (trial: Tried): number => (!looksAsPromised(trial, trials) ? 2 : exactFirst && !trial.exact ? 1 : 0)
  return trials.tried.toSorted((one, other) => place(one) - place(other) || one.bytes - other.bytes)
}

function prefersExact(facts: Known): boolean {
  const { tried, drawn, lossy } = facts.trials
  if (mustBeExact(facts)) return true
  const least = (some: readonly Tried[]) => Math.min(...some.map(({ bytes }) => bytes))
  const lossyOnes = tried.filter((one) => !one.exact && looksAsPromised(one, facts.trials))
  return drawn && !lossy && least(tried.filter(({ exact }) => exact)) <= MOST_FOR_EXACT * least(lossyOnes)
}

/** CPU seconds after which no further format is tried: enough for 6 megapixels in all formats of the web. */
const SECONDS = 6

/**
 * Encodes an image in the formats of a use.
 * @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts
 */
export async function measure(
  { pool, backgroundQueue }: Pick<Ai, 'pool' | 'backgroundQueue'>,
  account: string,
  { bytes }: InlineImage,
  { longestSide, quality, lossy, exact, exactOf, stills = [] }: UseCase,
  isDrawn: boolean | undefined,
  signal: AbortSignal,
): Promise<Trials> {
  const params = {
    quality,
    lossy: [...lossy],
    exact: [...exact],
    exactOf,
    seconds: SECONDS,
    ...(longestSide !== undefined && { longestSide }),
    ...(isDrawn !== undefined && { drawn: isDrawn }),
  }
  const { report } = await backgroundPool(pool, backgroundQueue, account).run('trials', params, [[bytes]], signal)
  const isShown = ({ format }: Tried) => report.frames === 1 || !stills.includes(format)
  return { ...report, tried: report.tried.filter(isShown) }
}
