import { ImageFailure } from '../failure.ts'
import type { Conversion } from './conversion.ts'
import { isSame } from './known-results.ts'
import type { Overview } from './run.ts'

/** A result that Pixelmill has written, of a source that is gone or does not give it any more. */
export interface LeftResult {
  /** The source, as it is identified. */
  readonly source: string
  /** The result, as users know it. */
  readonly target: string
  /** `changed`: it is not as it was written, so that it stays. */
  readonly status: 'left' | 'removed' | 'changed'
}

/**
 * Lists the results that are left over after a run, and removes them if that is asked for. Where nothing was listed, or a folder could not
 * be read, there are none: a disk that is not mounted has no images either.
 * @throws RunFailure
 */
export async function leftResults(conversion: Conversion, overview: Overview, removes: boolean): Promise<readonly LeftResult[]> {
  const { journal, target, inPlace } = conversion
  if (inPlace || !overview.isWhole || overview.origins.size === 0) return []
  const results: LeftResult[] = []
  for (const { result, resultVersion, origin = '' } of leftEntries(conversion, overview)) {
    const version = target.holds(result)
    if (version === undefined && target.remove) {
      journal.forget(result)
      continue
    }
    const leftResult = { source: origin, target: target.nameOf(result) }
    if (version && !isSame(version, resultVersion)) results.push({ ...leftResult, status: 'changed' })
    else if (removes && (await isRemoved(conversion, result))) results.push({ ...leftResult, status: 'removed' })
    else results.push({ ...leftResult, status: 'left' })
  }
  return results
}

/** Collected first: the journal is changed afterwards. */
const leftEntries = ({ journal, sources }: Conversion, { origins }: Overview) => [
  ...Iterator.from(journal.leftOver()).filter(({ origin = '', isSuperseded }) =>
    origins.has(origin) ? isSuperseded : sources.isGone?.(origin) === true,
  ),
]

/** One that cannot be removed is still listed. */
async function isRemoved({ journal, target }: Conversion, result: string): Promise<boolean> {
  try {
    await target.remove?.(result)
  } catch (error) {
    if (error instanceof ImageFailure) return false
    throw error
  }
  journal.forget(result)
  return true
}
