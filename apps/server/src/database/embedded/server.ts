import { setTimeout as sleep } from 'node:timers/promises'
import { makeSocketFolder } from './address.ts'
import { findBinaries } from './binaries.ts'
import { prepareCluster } from './cluster.ts'
import { launch } from './launch.ts'
import type { Postmaster } from './postmaster.ts'
import { chooseUser } from './run.ts'

export interface EmbeddedOptions {
  /** Absolute, and locked by this process (`holdDataFolder`). */
  readonly dataDir: string
  /** Gets each line that PostgreSQL writes. */
  readonly onLog: (line: string) => void
  readonly outages?: Outages
}

export interface Embedded {
  readonly socketDir: string
  /** Cancels running statements and ends PostgreSQL within 30 s. May be called twice. */
  stop(): Promise<void>
}

const UNHEARD: Outages = { onEnd() {}, onBack() {} }

/**
 * Starts a private PostgreSQL whose files are in `dataDir` and which only listens on a unix socket. If it ends, it is restarted
 * in the same place, until `stop`.
 * @throws StartError if it cannot run here, with the last line it wrote
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
  /** PostgreSQL has ended unexpectedly, or a restart has failed; the next attempt follows after a pause. */
  onEnd(reason: string, secondsToNextTry: number): void
  /** It accepts connections again. */
  onBack(secondsAway: number): void
}

/** Pause between its end and the next attempt, doubled each time up to the second value. */
const PAUSE_MS = { first: 500, longest: 30_000 } as const

/** A process that ends sooner lets the pauses grow: on a full disk PostgreSQL starts, and ends at its first commit. */
const STEADY_MS = 10_000

/**
 * Keeps a PostgreSQL running until `stop`; each iteration of the loop is the life of one process.
 * `launch` starts a new one, and gives up when its signal aborts.
 */
function keepRunning(
  first: Postmaster,
  launch: (signal: AbortSignal) => Promise<Postmaster>,
  outages: Outages,
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  let postmaster: Postmaster | undefined = first
  let pauseMs: number = PAUSE_MS.first
  const keeper = keep()

  async function keep(): Promise<void> {
    while (postmaster) {
      const began = performance.now()
      const reason: string = await postmaster.gone
      const endedAt = performance.now()
      if (endedAt - began > STEADY_MS) pauseMs = PAUSE_MS.first
      postmaster = await another(reason)
      if (stopping.signal.aborted) await postmaster?.stop()
      else outages.onBack((performance.now() - endedAt) / 1000)
    }
  }
  /** Retries until a start succeeds; undefined after `stop`. */
  async function another(whyGone: string): Promise<Postmaster | undefined> {
    for (let reason = whyGone; !stopping.signal.aborted; ) {
      outages.onEnd(reason, pauseMs / 1000)
      // Interrupted by the abort that the loop condition checks.
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
      await keeper
    },
  }
}
