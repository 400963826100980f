import type { Sharp } from 'sharp'
import type { Attempt, Codec, Graded } from '../codecs/codec.ts'
import type { Written } from '../codecs/written.ts'
import type { Encoded } from './encode.ts'
import { type Likeness, likenessTo } from './likeness.ts'

interface Judged {
  readonly pixels: Sharp
  readonly codec: Codec
  readonly quality: number
  readonly grey: boolean
  readonly alpha: boolean
  readonly frames: number
  /** Milliseconds of each frame of an animation. */
  readonly delay: readonly number[] | undefined
}

/** A file that changes pixels must be smaller by this part: else each round of optimizing would cost some likeness for nothing. */
const WORTH = 0.05

/**
 * The smallest of a file and what the attempts make of it, among those that look as good as the quality promises; at 100
 * only what changes no pixel.
 */
export async function smallest(untouched: Encoded, attempts: readonly Attempt[], judged: Judged): Promise<Encoded> {
  const { codec, quality } = judged
  let judge: Promise<Likeness> | undefined
  const likeness = () => {
    judge ??= likenessTo(judged.pixels, judged)
    return judge
  }
  // Attempts decode the picture; where there is none, this finds a damaged file.
  if (attempts.length === 0) await likeness()
  let promise: Promise<number> | undefined
  const promised = () => {
    promise ??= quality === 100 ? Promise.resolve(1) : likeness().then((one) => one.promised(quality))
    return promise
  }
  const lossyBytes = Math.floor(untouched.bytes.length * (1 - WORTH))
  let best = untouched
  for (const attempt of attempts) {
    if (typeof attempt === 'function') {
      const tried = await attempt(best.bytes.length)
      if (!tried || tried.bytes.length >= best.bytes.length) continue
      const alike = await (await likeness()).of(tried.bytes, codec)
      if (alike === 1 || (tried.bytes.length <= lossyBytes && alike >= (await promised()))) best = { ...tried, codec }
    } else {
      const bytes = Math.min(best.bytes.length, lossyBytes + 1)
      const { of } = await likeness()
      const demand = { bytes, likeness: await promised(), of: (one: { readonly bytes: Buffer }) => of(one.bytes, codec) }
      const found = await searchLevel(attempt, demand)
      if (found) best = { ...found, codec }
    }
  }
  return best
}

/** What is asked of a file: at most so many bytes, and to look at least so much alike. */
export interface Demand {
  readonly bytes: number
  readonly likeness: number
  of(written: Written): Promise<number>
}

interface Tried {
  readonly level: number
  /** Natural logarithm of what is missing to 1: over an encoder's scale it is nearly a straight line. */
  readonly loss: number
}

/** A level that exceeds the demand by less than this part of the loss is not improved on. */
const NEAR_ENOUGH = 0.02

const lossOf = (likeness: number): number => Math.log(Math.max(1 - likeness, 1e-9))

/** The smallest file of a graded encoder that meets the demand, among as many as may be tried; undefined where none does. */
export async function searchLevel(graded: Graded, demand: Demand): Promise<Written | undefined> {
  const goal = lossOf(demand.likeness)
  let [poor, good]: (Tried | undefined)[] = []
  let best: Written | undefined
  let level = graded.levels.guess
  for (let round = 0; round < graded.tries; round++) {
    const written = await graded.write(level)
    const likeness = await demand.of(written)
    const tried = { level, loss: lossOf(likeness) }
    const meets = likeness >= demand.likeness
    if (meets) {
      good = tried
      if (written.bytes.length < (best?.bytes.length ?? demand.bytes)) best = written
      if (goal - tried.loss < NEAR_ENOUGH) break
    } else {
      poor = tried
      // Every level above has more bytes than this one.
      if (written.bytes.length >= (best?.bytes.length ?? demand.bytes)) break
    }
    const next = between(poor, good, goal, graded.levels, round)
    if (next === undefined) break
    level = next
  }
  return best && graded.polish ? await graded.polish(best) : best
}

/** The next level to try; undefined where no untried one is left between a poor and a good one. */
function between(poor: Tried | undefined, good: Tried | undefined, goal: number, levels: Graded['levels'], round: number) {
  const low = poor?.level ?? levels.min - 1
  const high = good?.level ?? levels.max + 1
  if (high - low <= 1) return undefined
  const step = levels.step * 2 ** round
  const share = poor && good ? (poor.loss - goal) / (poor.loss - good.loss) : 0
  const wanted = poor && good ? Math.round(low + (high - low) * share) : poor ? low + step : high - step
  return Math.min(high - 1, Math.max(low + 1, wanted))
}
