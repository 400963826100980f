import { ImageFailure } from '../failure.ts'
import type { SourceVersion } from '../files/source.ts'
import type { Conversion } from './conversion.ts'
import type { JournalEntry } from './journal.ts'
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
    const leftResult = { source: origin, target: target.nameOf(result) }
    // A bucket is asked for what is to be removed alone.
    if (!removes && !target.holds) {
      results.push({ ...leftResult, status: 'left' })
      continue
    }
    const version = await target.versionOf(result)
    if (version === undefined) journal.forget(result)
    else results.push({ ...leftResult, status: await statusOf(conversion, { result, resultVersion }, version, removes) })
  }
  return results
}

async function statusOf(
  conversion: Conversion,
  { result, resultVersion }: Pick<JournalEntry, 'result' | 'resultVersion'>,
  version: SourceVersion,
  removes: boolean,
): Promise<LeftResult['status']> {
  // Earlier releases have noted no version of objects: whether others have changed one is not known.
  const isUnknown = resultVersion.tag === '' && resultVersion.bytes === version.bytes
  if (!isUnknown && !isSame(version, resultVersion)) return 'changed'
  return removes && !isUnknown && (await isRemoved(conversion, result)) ? 'removed' : 'left'
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
    await target.remove(result)
  } catch (error) {
    if (error instanceof ImageFailure) return false
    throw error
  }
  journal.forget(result)
  return true
}
