import { setTimeout as sleep } from 'node:timers/promises'
import { makeSocketFolder } from './address.ts'
import { findBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { launch } from './launch.ts'
import type { Postmaster } from './postmaster.ts'
import { chooseUser } from './run.ts'

export interface EmbeddedOptions {
  /** Absolute, and held by this process (`holdDataFolder`). */
  readonly dataDir: string
  /** Gets each line that PostgreSQL writes. */
  readonly onLog: (line: string) => void
  readonly outages?: Outages
}

export interface Embedded {
  readonly socketDir: string
  /** Ends PostgreSQL after the statements in hand are cancelled; at most 30 s. May be called twice. */
  stop(): Promise<void>
}

const UNHEARD: Outages = { onEnd() {}, onBack() {} }

/**
 * Starts a private PostgreSQL whose files live in `dataDir` and which listens on a unix socket only. Should it end, it is
 * started again at the same place, until `stop`.
 * @throws StartError when it cannot run here, with the last line it wrote.
 */
export async function startEmbedded({ dataDir, onLog, outages }: EmbeddedOptions): Promise<Embedded> {
  const { postgres, initdb } = await findBinaries()
  const runAs = await chooseUser(dataDir, postgres)
  const cluster = await prepareCluster(dataDir, { postgres, initdb }, runAs)
  const socketDir = await makeSocketFolder(dataDir, runAs.owner)
  const options = { postgres, cluster, socketDir, runAs, onLog }
  const { stop } = keepRunning(await launch(options), (signal) => launch(options, signal), outages ?? UNHEARD)
  return { socketDir, stop }
}

export interface Outages {
  /** PostgreSQL has ended though nobody asked it to, or a try to start it again has failed; in a while comes the next. */
  onEnd(reason: string, secondsToNextTry: number): void
  /** It answers again. */
  onBack(secondsAway: number): void
}

/** Between its end and the next try: doubled each time, up to the second. */
const PAUSE_MS = { first: 500, longest: 30_000 } as const

/** One that ends sooner has the pauses grow on: a full disk lets PostgreSQL start and ends it at its first commit. */
const STEADY_MS = 10_000

/**
 * Keeps a PostgreSQL at work until `stop`, whatever ends it: each turn of the loop is the life of one.
 * `launch` starts another in its place, and gives up when its signal is aborted.
 */
function keepRunning(
  first: Postmaster,
  launch: (signal: AbortSignal) => Promise<Postmaster>,
  outages: Outages,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let postmaster: Postmaster | undefined = first
  let pauseMs: number = PAUSE_MS.first
  const kept = keep()

  async function keep(): Promise<void> {
    while (postmaster) {
      const began = performance.now()
      const reason: string = await postmaster.gone
      const ended = performance.now()
      if (ended - began > STEADY_MS) pauseMs = PAUSE_MS.first
      postmaster = await another(reason)
      if (stopping.signal.aborted) await postmaster?.stop()
      else outages.onBack((performance.now() - ended) / 1000)
    }
  }
  /** Tries until there is one; undefined when it is to stop. */
  async function another(whyGone: string): Promise<Postmaster | undefined> {
    for (let reason = whyGone; !stopping.signal.aborted; ) {
      outages.onEnd(reason, pauseMs / 1000)
      // Cut short by the abort that the loop asks for.
      await sleep(pauseMs, undefined, { signal: stopping.signal, ref: false }).catch(() => {})
      pauseMs = Math.min(2 * pauseMs, PAUSE_MS.longest)
      if (stopping.signal.aborted) break
      try {
        return await launch(stopping.signal)
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error)
      }
    }
    return undefined
  }
  return {
    async stop() {
      stopping.abort()
      await postmaster?.stop()
      await kept
    },
  }
}
