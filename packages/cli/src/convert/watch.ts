import { setTimeout as sleep } from 'node:timers/promises'
import { folderWatchers } from '../files/folder-watchers.ts'
import type { Conversion, Outcome } from './conversion.ts'
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

/** Converts everything and then what changes, until the signal. Images in flight have ended by then. */
export async function watchConversions(conversions: readonly Conversion[], watching: Watching): Promise<void> {
  const { report, signal } = watching
  const all = conversions.map((conversion) => ({ ...conversion, sources: new WatchedSources(conversion.sources) }))
  const rescanMs = all.every(({ sources }) => sources.isLocal) ? RESCAN_MS : RESCAN_BUCKET_MS
  using watchers = folderWatchers()
  try {
    for (let round = 0; ; round++) {
      // What changes while a round goes on is for the next one.
      watchers.clear()
      const began = performance.now()
      for (const conversion of all) await (round === 0 ? firstRound(conversion, watching) : laterRound(conversion, watching))
      const roundMs = performance.now() - began
      if (round === 0) report.detail('Watching for changes; Ctrl-C ends it.')
      watchers.watch(all.flatMap(({ sources }) => sources.folders))
      await watchers.next(all.every(({ sources }) => sources.isSettled) ? rescanMs : SETTLE_MS, signal)
      await sleep(Math.max(TOGETHER_MS, round === 0 ? 0 : roundMs / LARGEST_SHARE), undefined, { signal })
    }
  } catch (error) {
    // To be stopped is how it ends.
    if (!signal.aborted) throw error
  }
}

type WatchedConversion = Conversion & { readonly sources: WatchedSources }

/** As a run that ends. */
async function firstRound(conversion: WatchedConversion, { removes, report, signal }: Watching): Promise<void> {
  const overview = await report.during(conversion.sources, (onOutcome) =>
    runConversion(conversion, (outcome) => conversion.sources.note(outcome, onOutcome), signal),
  )
  report.left(await leftResults(conversion, overview, removes))
}

/** Says only what is new. */
async function laterRound(conversion: WatchedConversion, { removes, report, signal }: Watching): Promise<void> {
  const onOutcome = (outcome: Outcome) => report.news(outcome)
  const overview = await runConversion(conversion, (outcome) => conversion.sources.note(outcome, onOutcome), signal)
  const results = removes ? await leftResults(conversion, overview, removes) : []
  for (const result of results.filter(({ status }) => status === 'removed')) report.removal(result)
}
