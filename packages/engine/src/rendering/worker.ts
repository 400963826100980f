import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import type { Finishers } from './finishers.ts'
import { finishing } from './finishing.ts'
import type { Files, Message } from './protocol.ts'
import { type EndReason, type Order, RendererEnd, type RendererProcess, rendererProcess } from './renderer-process.ts'
import type { RendererChild } from './upload-file.ts'

export interface WorkerSettings {
  /** Time limit for one image, from the first byte sent to the last received, unless its task has a longer one. */
  readonly timeLimit: TimeLimit
  /** Starts one renderer process. */
  spawn(nice?: number): RendererChild
  /** Resident bytes after which the renderer is replaced, if they differ from the default. */
  readonly recycleBytes?: number
  /** How long an aborted image may go on, if that differs from the usual grace period. */
  readonly abandonGraceMs?: number
  /** Programs that finish files, and their nice value. */
  readonly finishers?: Pick<Finishers, 'programs' | 'encoders'>
  readonly nice?: number
}

/** Why a renderer was replaced: it ended while working, or it was due. */
export type RestartReason = EndReason | 'grown' | 'aged'

/** Nothing is wrong if its client had gone, or it was due. */
export const restartLevel = (reason: RestartReason): 'debug' | 'warn' =>
  reason === 'abandoned' || reason === 'grown' || reason === 'aged' ? 'debug' : 'warn'

export interface WorkerEvents {
  /** The worker has an idle renderer. */
  onIdle(): void
  /** A renderer was replaced, and why. */
  onRestart(reason: RestartReason, detail: string): void
  /** A renderer has ended before it was ready, as have so many in a row. */
  readonly onStartFault?: ((detail: string, inARow: number) => void) | undefined
}

/** Keeps one renderer process running: it is replaced whenever it ends. */
export interface Worker {
  idle(): boolean
  ready(): boolean
  /**
   * Rejects with a RendererEnd if the renderer died, timed out, or was killed because its image was aborted.
   * @param seconds time limit, if longer than the general one
   */
  run(order: Order, files: Files, signal: AbortSignal, seconds?: number): Promise<Message>
  close(): void
}

/** A renderer that has grown past this is replaced: 70 MB are Node and libvips, the rest is heap that malloc keeps. */
const RECYCLE_BYTES = 190 * 1024 * 1024

/** A renderer that has worked this long is replaced, before an image could reach the kernel's CPU limit of a process. */
const RECYCLE_CPU_SECONDS = 3_600

/**
 * The kernel's limit: an image that starts just before the end of the hour may use all threads (nine, of which four are V8's
 * compilers) until its timeout; this assumes the longest one.
 */
export const cpuSecondsLimit = (longestSeconds: number, moreThreads = 0): number =>
  RECYCLE_CPU_SECONDS + (9 + moreThreads) * longestSeconds

/** An aborted image that is nearly done costs less than a new process. */
const ABANDON_GRACE_MS = 250

/** Pause between attempts to start a renderer that dies before it is ready: doubled each time, up to this. */
const MAX_BACKOFF_MS = 10_000

export function startWorker(settings: WorkerSettings, events: WorkerEvents): Worker {
  let renderer: RendererProcess | undefined
  let busy = false
  let closed = false
  let failures = 0

  /** Keeps one renderer alive until the worker is closed: each iteration is the life of one process. */
  async function supervise(): Promise<void> {
    while (!closed) {
      const why = await live().catch(notStarted)
      renderer = undefined
      if (closed) return
      if (failures > 0) {
        events.onRestart(why.reason, why.message)
        events.onStartFault?.(why.message, failures)
        await sleep(Math.min(MAX_BACKOFF_MS, 100 * 2 ** failures))
      }
    }
  }
  /** One process: resolves with the reason for its end. Rejects if the system did not let it start. */
  async function live(): Promise<RendererEnd> {
    const started = finishing(rendererProcess(settings.spawn()), settings.finishers, settings.nice)
    started.ready.then(() => settle(started)).catch(() => failures++)
    const why = await started.ending
    // While it works, `run` reports its end.
    if (renderer === started && !busy && !closed) events.onRestart(why.reason, why.message)
    return why
  }
  function notStarted(error: unknown): RendererEnd {
    failures++
    return new RendererEnd('start', error instanceof Error ? error.message : String(error))
  }
  function settle(started: RendererProcess): void {
    failures = 0
    renderer = started
    if (closed) started.kill()
    else events.onIdle()
  }
  void supervise()

  async function run(order: Order, files: Files, signal: AbortSignal, least = 0): Promise<Message> {
    if (!renderer || busy) throw new Error('a job was given to a worker that is not idle')
    const mine = renderer
    busy = true
    let killed: 'timeout' | 'abandoned' | undefined
    const kill = (reason: 'timeout' | 'abandoned') => {
      killed = reason
      mine.kill()
    }
    const { timeLimit } = settings
    const cancelLimit = limitTime({ ...timeLimit, seconds: Math.max(timeLimit.seconds, least) }, mine.pid(), () =>
      kill('timeout'),
    )
    let grace: NodeJS.Timeout | undefined
    const abandon = () => {
      grace = setTimeout(kill, settings.abandonGraceMs ?? ABANDON_GRACE_MS, 'abandoned')
    }
    signal.addEventListener('abort', abandon, { once: true })
    try {
      const message = await mine.render(order, files)
      // Its answer may have been on the way when it was killed; the next job would fail with it.
      if (killed) replace(mine, killed, 'its answer was on the way')
      else replaceIfDue(mine, message.answer)
      return message
    } catch (error) {
      renderer = undefined
      const end = endOf(error, killed)
      if (!closed) events.onRestart(end.reason, end.message)
      throw end
    } finally {
      cancelLimit()
      clearTimeout(grace)
      signal.removeEventListener('abort', abandon)
      busy = false
    }
  }
  function replaceIfDue(used: RendererProcess, { rss, cpuSeconds }: Answer): void {
    if (rss > (settings.recycleBytes ?? RECYCLE_BYTES)) replace(used, 'grown', `${Math.round(rss / 1024 / 1024)} MiB resident`)
    else if (cpuSeconds > RECYCLE_CPU_SECONDS) replace(used, 'aged', `${Math.round(cpuSeconds)} s of CPU`)
  }
  function replace(used: RendererProcess, reason: RestartReason, detail: string): void {
    renderer = undefined
    used.kill()
    events.onRestart(reason, detail)
  }

  /** If the worker killed it, the worker knows the reason better than the exit code. */
  function endOf(error: unknown, killed: 'timeout' | 'abandoned' | undefined): RendererEnd {
    const detail = error instanceof Error ? error.message : String(error)
    if (killed) return new RendererEnd(killed, detail)
    return error instanceof RendererEnd ? error : new RendererEnd('crash', detail)
  }

  return {
    idle: () => renderer !== undefined && !busy,
    ready: () => renderer !== undefined,
    run,
    close() {
      closed = true
      renderer?.kill()
    },
  }
}

/**
 * Renderers for interactive requests that stay while there are none; each takes 40 MB. A second request at the same time waits
 * for the first one's image or for a renderer to start, whichever is sooner: docs/design/cpu-and-memory.md.
 */
export const RENDERERS_KEPT = 1

export interface WorkersSettings extends WorkerSettings {
  /** Renderer processes, and so images worked on at once. */
  readonly renderers: number
  /** Of them, those that are started at once and stay while there is no work; 0 by default. The others are started on demand. */
  readonly kept?: number
  /** Seconds without any work after which the others end. */
  readonly idleSeconds: number
}

/** The renderers of a lane. */
export interface Workers {
  idle(): readonly Worker[]
  ready(): number
  /** Starts missing renderers. @param jobs that could run at once */
  wake(jobs: number): void
  /** There is no work: starts the idle timer. */
  rest(): void
  close(): void
}

export function startWorkers(settings: WorkersSettings, events: WorkerEvents): Workers {
  const { kept = 0, idleSeconds } = settings
  let workers: readonly Worker[] = []
  let resting: NodeJS.Timeout | undefined

  const start = (count: number) => {
    const lacking = Math.min(count, settings.renderers) - workers.length
    workers = [...workers, ...Array.from({ length: Math.max(0, lacking) }, () => startWorker(settings, events))]
  }
  /** The oldest stay: they have compiled most of their code. */
  const end = (staying: number) => {
    for (const worker of workers.slice(staying)) worker.close()
    workers = workers.slice(0, staying)
  }
  start(kept)

  return {
    idle: () => workers.filter((worker) => worker.idle()),
    ready: () => workers.filter((worker) => worker.ready()).length,
    wake(jobs) {
      clearTimeout(resting)
      start(jobs)
    },
    rest() {
      clearTimeout(resting)
      resting = setTimeout(end, idleSeconds * 1000, kept).unref()
    },
    close() {
      clearTimeout(resting)
      end(0)
    },
  }
}

/** How the time limit of an image is measured. */
interface TimeLimit {
  readonly seconds: number
  /** CPU time instead of wall-clock time: for low-priority processes, which others may keep from the processor. */
  readonly ofCpu: boolean
  /** Ratio of wall-clock time to CPU time at which it counts as hung, if it differs from the background's. */
  readonly mostWaiting?: number
}

/** CPU time may take this many times as long in wall-clock time; after that the renderer counts as hung. */
const MOST_WAITING = 10

/** Calls `end` once when a process has used up its time; the returned function cancels that. */
export function limitTime(
  { seconds, ofCpu, mostWaiting = MOST_WAITING }: TimeLimit,
  pid: number | undefined,
  end: () => void,
): () => void {
  const began = performance.now()
  const usedBefore = ofCpu ? cpuSeconds(pid) : undefined
  const last = began + seconds * (usedBefore === undefined ? 1 : mostWaiting) * 1000
  let timer = setTimeout(look, seconds * 1000)

  function look(): void {
    const now = performance.now()
    const used = usedBefore === undefined ? undefined : cpuSeconds(pid)
    const left = used === undefined ? 0 : seconds - (used - (usedBefore ?? 0))
    if (left <= 0 || now >= last) end()
    // A minimum delay: a process that gets no processor time is not polled in a tight loop.
    else timer = setTimeout(look, Math.min(Math.max(left, 0.1) * 1000, last - now))
  }
  return () => clearTimeout(timer)
}

/** USER_HZ is 100 on every Linux that Node runs on, whatever the kernel's own tick is. */
const TICKS_PER_SECOND = 100

/** Seconds of CPU that a process has used; undefined if the system does not report them. */
function cpuSeconds(pid: number | undefined): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses may itself contain spaces and parentheses: the fields are counted after the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return undefined
  }
}
