import { setTimeout as sleep } from 'node:timers/promises'
import { folderWatchers } from '../files/folder-watchers.ts'
import type { Conversion } from './conversion.ts'
import { leftResults } from './left-results.ts'
import type { Reporter } from './report.ts'
import { runConversion } from './run.ts'
import { SETTLE_MS, WatchedSources } from './watched-sources.ts'

interface Watching {
  /** Whether results of sources that go are removed. */
  readonly removes: boolean
  readonly report: Reporter
  readonly signal: AbortSignal
}

/** A change is seen at once where the system tells of it; what it does not tell of is seen by a rescan. */
const RESCAN_MS = 5_000
/** Rescans of a bucket cost a request for each thousand of objects. */
const RESCAN_BUCKET_MS = 60_000
/** Rescans and changes that follow each other take at most this part of the time. */
const LARGEST_SHARE = 1 / 10
/** Several changes at once are one round. */
const TOGETHER_MS = 200

/** Converts what changes, until the signal. Images in flight have ended by then. */
export async function watchConversions(conversions: readonly Conversion[], { removes, report, signal }: Watching): Promise<void> {
  const all = conversions.map((conversion) => ({ conversion, sources: new WatchedSources(conversion.sources) }))
  const isLocal = conversions.every(({ sources: { folders = [] } }) => folders.length > 0)
  using watchers = folderWatchers()
  report.detail('Watching for changes; Ctrl-C ends it.')
  try {
    for (let roundMs = 0; ; ) {
      await sleep(Math.max(TOGETHER_MS, roundMs / LARGEST_SHARE), undefined, { signal })
      watchers.clear()
      const began = performance.now()
      for (const { conversion, sources } of all) {
        const seen = await runConversion(
          { ...conversion, sources },
          (outcome) => {
            sources.note(outcome)
            report.news(outcome)
          },
          signal,
        )
        const left = removes ? await leftResults(conversion, seen, removes) : []
        for (const each of left.filter(({ status }) => status === 'removed')) report.removed(each)
      }
      roundMs = performance.now() - began
      watchers.watch(all.flatMap(({ sources }) => sources.folders))
      const isSettled = all.every(({ sources }) => sources.isSettled)
      await watchers.next(isSettled ? (isLocal ? RESCAN_MS : RESCAN_BUCKET_MS) : SETTLE_MS, signal)
    }
  } catch (error) {
    // To be stopped is how it ends.
    if (!signal.aborted) throw error
  }
}
