import type { Encoded, EncodeJob } from './encode.ts'
import { fallsShort, type LevelSearch, openSearch, type Target, type Trial } from './to-target.ts'

/**
 * The fewest bytes at a score among several formats. Each is tried on a sample of the picture, and the one whose file will be the
 * smallest is written.
 * @param jobs one for each format, at least one; a format without scores, such as PNG, is lossless
 * @throws ImageError cannot_fit
 */
export async function encodeToBest(
  jobs: readonly EncodeJob[],
  target: Target & { readonly visualQuality: number },
): Promise<Encoded> {
  const { visualQuality, maxBytes, beside = 0 } = target
  const candidates: Candidate[] = []
  for (const job of jobs) candidates.push(await candidateOf(job, visualQuality))
  const [first] = candidates
  const bySize = candidates
    .filter(({ reached }) => reached === undefined || !fallsShort(reached, visualQuality))
    .toSorted((one, other) => one.bytes - other.bytes)
  const [best] = bySize
  if (!first) throw new Error('the format best without formats to choose from')
  // No format reaches the score.
  if (!best) return first.search.encode({ visualQuality, maxBytes, beside }, first.reached)
  if (best.reached) return best.search.encode({ visualQuality, maxBytes, beside }, best.reached)
  const exact = await best.search.encodeExactly()
  if (exact.bytes.length + beside <= (maxBytes ?? Number.POSITIVE_INFINITY)) return exact
  const bestScored = bySize.find(({ reached }) => reached)
  if (!bestScored) return best.search.encode({ maxBytes, beside }, undefined)
  return bestScored.search.encode({ visualQuality, maxBytes, beside }, bestScored.reached)
}

interface Candidate {
  readonly search: LevelSearch
  /** Estimated size of the file. */
  readonly bytes: number
  /** The level that reaches the score, or falls short of it least; absent where the format is lossless. */
  readonly reached?: Trial
}

async function candidateOf(job: EncodeJob, visualQuality: number): Promise<Candidate> {
  const search = await openSearch(job)
  if (!search.hasScores) return { search, bytes: await search.estimateBytes() }
  const reachedTrial = await search.reach(visualQuality)
  // One that falls short is not chosen by its size.
  const bytes = fallsShort(reachedTrial, visualQuality)
    ? Number.POSITIVE_INFINITY
    : await search.estimateBytes(reachedTrial.level)
  return { search, reached: reachedTrial, bytes }
}
