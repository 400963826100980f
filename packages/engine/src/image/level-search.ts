import type { Levels, Mode } from '@pixelmill/codecs/codec'
import { levelAt, valueAt } from '@pixelmill/codecs/scales'
import { lossRatio, nextLevel } from './next-level.ts'
import type { Trial, TriedPicture } from './tried-picture.ts'

/** Where a search has found the score on the sample. */
export interface Prediction {
  readonly mode: Mode
  readonly level: number
  /** Of the sample; below the asked score where the mode does not reach it. */
  readonly score: number
  /** Estimated bytes of the whole file. */
  readonly bytes: number
}

/** A file, the score that it has, and how it was written. */
export interface ScoredFile extends Trial {
  readonly mode: Mode
}

/** By how much a file may fall short of a score. */
const SHORT = 2
/** A file is sent if its score is between these distances from the asked one; another encode costs more than the bytes it saves. */
const ACCEPTED = { below: 1, above: 1.7 } as const

const MOST_SAMPLE_TRIALS = 4
const MOST_FILES = 5
const MOST_SMALL_FILES = 8
/** Levels over which a trial on the sample is continued without another one. */
const TRUSTED = 4
/** A picture that loses so many times what photographs lose may have saturated edges: then the next mode is tried too. */
const SATURATED = 1.35
/** By how much scores of pictures exceed those of photographs. */
const REACH = 6

/** Whether a format cannot reach a score. */
export const fallsShort = (score: number, askedScore: number): boolean => score < askedScore - SHORT

/** Looks for the smallest file that reaches a score: first on a sample of the picture, then by files and their own scores. */
export class LevelSearch {
  readonly #picture: TriedPicture
  readonly #modes: readonly Mode[]

  constructor(picture: TriedPicture, levels: Levels) {
    this.#picture = picture
    this.#modes = modesOf(levels, picture.settings)
  }

  /** The mode and level at which the sample reaches a score with the fewest bytes, or comes nearest to it. */
  async predict(askedScore: number): Promise<Prediction> {
    let best: Prediction | undefined
    for (const mode of this.#modes) {
      const isLast = mode === this.#modes.at(-1)
      if (!isLast && valueAt(mode.scores, mode.max) + REACH < askedScore) continue
      const prediction = await this.#predictIn(mode, askedScore)
      best = best ? betterOf(best, prediction, askedScore) : prediction
      if (!fallsShort(prediction.score, askedScore) && lossRatio(mode.scores, prediction) < SATURATED) break
    }
    if (!best) throw new Error('a score was asked of a format without modes')
    return best
  }

  async #predictIn(mode: Mode, askedScore: number): Promise<Prediction> {
    const { share } = this.#picture
    const trials: Trial[] = []
    let level = firstLevel(mode, askedScore)
    for (;;) {
      const trial = await this.#picture.trySample(mode, level)
      trials.push(trial)
      const next = nextLevel(mode, askedScore, trials)
      if (next === undefined || trials.length === MOST_SAMPLE_TRIALS || isNear(trial, askedScore)) {
        const { file, ...nearest } = nearestOf(trials, askedScore)
        return { mode, level: nearest.level, score: nearest.score, bytes: file.bytes.length / share }
      }
      if (share < 1 && Math.abs(next - level) <= TRUSTED && next < mode.max) {
        return { mode, level: next, score: askedScore, bytes: grownBytes(trial, next) / share }
      }
      level = next
    }
  }

  /** The file that reaches a score with the fewest bytes, or comes nearest to it. */
  async reach(askedScore: number, prediction: Prediction): Promise<ScoredFile> {
    const most = this.#picture.share === 1 ? MOST_SMALL_FILES : MOST_FILES
    const files: ScoredFile[] = []
    let { mode, level } = prediction
    while (files.length < most) {
      const file = { ...(await this.#picture.tryFile(mode, level)), mode }
      files.push(file)
      if (isNear(file, askedScore)) return file
      const inMode = files.filter((file) => file.mode === mode)
      const next = nextLevel(mode, askedScore, inMode)
      const nextMode = this.#modes[this.#modes.indexOf(mode) + 1]
      if (next !== undefined) level = next
      else if (nextMode && inMode.every(({ score }) => fallsShort(score, askedScore))) {
        mode = nextMode
        level = firstLevel(nextMode, askedScore)
      } else break
    }
    return nearestOf(files, askedScore)
  }
}

const isNear = ({ score }: Trial, askedScore: number): boolean =>
  score >= askedScore - ACCEPTED.below && score <= askedScore + ACCEPTED.above

function modesOf(levels: Levels, settings: TriedPicture['settings']): readonly Mode[] {
  const { scores, modes } = levels
  return modes?.(settings) ?? (scores ? [{ ...levels, scores }] : [])
}

const firstLevel = ({ min, max, scores }: Mode, askedScore: number): number =>
  Math.min(max, Math.max(min, Math.round(levelAt(scores, askedScore))))

/** The smaller one that reaches the score; the higher score if one does not. */
function betterOf(one: Prediction, other: Prediction, askedScore: number): Prediction {
  const isShort = fallsShort(one.score, askedScore)
  if (isShort !== fallsShort(other.score, askedScore)) return isShort ? other : one
  if (isShort) return other.score > one.score ? other : one
  return other.bytes < one.bytes ? other : one
}

/** Of those that reach the score within what is accepted, the smallest; else the one with the highest score. */
function nearestOf<T extends Trial>(trials: readonly T[], askedScore: number): T {
  const reaching = trials.filter(({ score }) => score >= askedScore - ACCEPTED.below)
  const [best] =
    reaching.length > 0
      ? reaching.toSorted((one, other) => one.file.bytes.length - other.file.bytes.length)
      : trials.toSorted((one, other) => other.score - one.score)
  if (!best) throw new Error('a search without a trial')
  return best
}

/** How much a file grows from level to level, about: bytes double over so many levels. */
const DOUBLING = 24

const grownBytes = ({ level, file }: Trial, to: number): number => file.bytes.length * 2 ** ((to - level) / DOUBLING)
