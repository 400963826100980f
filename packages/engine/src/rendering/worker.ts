import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './answer.ts'
import type { Finishers } from './finishers.ts'
import { finishing } from './finishing.ts'
import type { Files, Message } from './protocol.ts'
import { type EndReason, type Order, RendererEnd, type RendererProcess, rendererProcess } from './renderer-process.ts'
import { limitTime, type TimeLimit } from './time-limit.ts'
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
  const worker = new SupervisedWorker(settings, events)
  void worker.supervise()
  return worker
}

class SupervisedWorker implements Worker {
  readonly #settings: WorkerSettings
  readonly #events: WorkerEvents
  /** Undefined until it is ready. */
  #renderer: RendererProcess | undefined
  #isBusy = false
  #isClosed = false
  /** Starts in a row that have failed. */
  #failures = 0

  constructor(settings: WorkerSettings, events: WorkerEvents) {
    this.#settings = settings
    this.#events = events
  }

  idle(): boolean {
    return this.#renderer !== undefined && !this.#isBusy
  }

  ready(): boolean {
    return this.#renderer !== undefined
  }

  close(): void {
    this.#isClosed = true
    this.#renderer?.kill()
  }

  /** Keeps one renderer alive until the worker is closed: each iteration is the life of one process. */
  async supervise(): Promise<void> {
    while (!this.#isClosed) {
      const end = await this.#live().catch((error: unknown) => this.#notStarted(error))
      this.#renderer = undefined
      if (this.#isClosed) return
      if (this.#failures > 0) {
        this.#events.onRestart(end.reason, end.message)
        this.#events.onStartFault?.(end.message, this.#failures)
        await sleep(Math.min(MAX_BACKOFF_MS, 100 * 2 ** this.#failures))
      }
    }
  }

  /** One process: resolves with the reason for its end. Rejects if the system did not let it start. */
  async #live(): Promise<RendererEnd> {
    const { finishers, nice } = this.#settings
    const renderer = finishing(rendererProcess(this.#settings.spawn()), finishers, nice)
    renderer.ready.then(() => this.#settle(renderer)).catch(() => this.#failures++)
    const end = await renderer.ending
    // While it works, `run` reports its end.
    if (this.#renderer === renderer && !this.#isBusy && !this.#isClosed) this.#events.onRestart(end.reason, end.message)
    return end
  }

  #notStarted(error: unknown): RendererEnd {
    this.#failures++
    return new RendererEnd('start', error instanceof Error ? error.message : String(error))
  }

  #settle(renderer: RendererProcess): void {
    this.#failures = 0
    this.#renderer = renderer
    if (this.#isClosed) renderer.kill()
    else this.#events.onIdle()
  }

  async run(order: Order, files: Files, signal: AbortSignal, least = 0): Promise<Message> {
    const renderer = this.#renderer
    if (!renderer || this.#isBusy) throw new Error('a job was given to a worker that is not idle')
    this.#isBusy = true
    const { timeLimit, abandonGraceMs = ABANDON_GRACE_MS } = this.#settings
    const limit = { ...timeLimit, seconds: Math.max(timeLimit.seconds, least) }
    const watch = new ImageWatch(renderer, limit, signal, abandonGraceMs)
    try {
      const message = await renderer.render(order, files)
      // Its answer may have been on the way when it was killed; the next job would fail with it.
      if (watch.killReason) this.#replace(renderer, watch.killReason, 'its answer was on the way')
      else this.#replaceIfDue(renderer, message.answer)
      return message
    } catch (error) {
      this.#renderer = undefined
      const end = endOf(error, watch.killReason)
      if (!this.#isClosed) this.#events.onRestart(end.reason, end.message)
      throw end
    } finally {
      watch.stop()
      this.#isBusy = false
    }
  }

  #replaceIfDue(renderer: RendererProcess, { rss, cpuSeconds }: Answer): void {
    if (rss > (this.#settings.recycleBytes ?? RECYCLE_BYTES))
      this.#replace(renderer, 'grown', `${Math.round(rss / 1024 / 1024)} MiB resident`)
    else if (cpuSeconds > RECYCLE_CPU_SECONDS) this.#replace(renderer, 'aged', `${Math.round(cpuSeconds)} s of CPU`)
  }

  #replace(renderer: RendererProcess, reason: RestartReason, detail: string): void {
    this.#renderer = undefined
    renderer.kill()
    this.#events.onRestart(reason, detail)
  }
}

type KillReason = Extract<EndReason, 'timeout' | 'abandoned'>

/** Kills the renderer of an image that takes too long, or whose callers have gone. */
class ImageWatch {
  killReason: KillReason | undefined
  readonly #renderer: RendererProcess
  readonly #signal: AbortSignal
  readonly #cancelLimit: () => void
  readonly #abandon: () => void
  #grace: NodeJS.Timeout | undefined

  constructor(renderer: RendererProcess, limit: TimeLimit, signal: AbortSignal, graceMs: number) {
    this.#renderer = renderer
    this.#signal = signal
    this.#cancelLimit = limitTime(limit, renderer.pid(), () => this.#kill('timeout'))
    this.#abandon = () => {
      this.#grace = setTimeout(() => this.#kill('abandoned'), graceMs)
    }
    signal.addEventListener('abort', this.#abandon, { once: true })
  }

  stop(): void {
    this.#cancelLimit()
    clearTimeout(this.#grace)
    this.#signal.removeEventListener('abort', this.#abandon)
  }

  #kill(reason: KillReason): void {
    this.killReason = reason
    this.#renderer.kill()
  }
}

/** If the worker killed it, the worker knows the reason better than the exit code. */
function endOf(error: unknown, killReason: KillReason | undefined): RendererEnd {
  const detail = error instanceof Error ? error.message : String(error)
  if (killReason) return new RendererEnd(killReason, detail)
  return error instanceof RendererEnd ? error : new RendererEnd('crash', detail)
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
