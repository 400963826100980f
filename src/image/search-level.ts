import type { Graded } from '../codecs/codec.ts'
import type { Written } from '../codecs/written.ts'

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
