import type { Mode } from '@pixelmill/codecs/codec'
import { levelAt, valueAt } from '@pixelmill/codecs/scales'

/** A level that was tried, and the score it has. */
export interface ScoredLevel {
  readonly level: number
  readonly score: number
}

/** A level is taken if its score is lower than the asked one by at most this share of a level. */
const ROUNDING = 0.3

/**
 * The level to try next for a score: between two trials on either side of it, or along the curve of photographs, with the ratio of losses of
 * the nearest trial. Undefined where no other level of the mode comes nearer.
 */
export function nextLevel(mode: Omit<Mode, 'write'>, askedScore: number, trials: readonly ScoredLevel[]): number | undefined {
  const { min, max, scores } = mode
  const byLevel = trials.toSorted((one, other) => one.level - other.level)
  const above = byLevel.find(({ score }) => score >= askedScore)
  const below = byLevel.findLast(({ level, score }) => score < askedScore && level < (above?.level ?? Number.POSITIVE_INFINITY))
  const from = below ? below.level + 1 : min
  const to = above ? above.level - 1 : max
  if (from > to) return undefined
  const nearest = below ?? above
  const level =
    below && above
      ? levelBetween(scores, askedScore, below, above)
      : levelBeside(scores, askedScore, nearest) +
        (nearest && trials.length > 1 ? OVERREACH * stepFrom(scores, askedScore, nearest) : 0)
  return Math.min(to, Math.max(from, Math.ceil(level - ROUNDING)))
}

/** Where a step did not reach over the score, the next one is longer by this share. */
const OVERREACH = 0.5

const stepFrom = (scores: Mode['scores'], askedScore: number, trial: ScoredLevel): number =>
  levelBeside(scores, askedScore, trial) - trial.level

/** Along the curve, stretched to both trials. */
function levelBetween(scores: Mode['scores'], askedScore: number, below: ScoredLevel, above: ScoredLevel): number {
  const share = (askedScore - below.score) / (above.score - below.score)
  const lower = valueAt(scores, below.level)
  return levelAt(scores, lower + share * (valueAt(scores, above.level) - lower))
}

/** Where the picture reaches a score if it loses as many times what photographs lose as at the trial. */
function levelBeside(scores: Mode['scores'], askedScore: number, trial: ScoredLevel | undefined): number {
  return levelAt(scores, 100 - (100 - askedScore) / (trial ? lossRatio(scores, trial) : 1))
}

/** What a picture loses beside photographs at the same level. */
export const lossRatio = (scores: Mode['scores'], { level, score }: ScoredLevel): number =>
  Math.max(0.01, (100 - score) / (100 - valueAt(scores, level)))
