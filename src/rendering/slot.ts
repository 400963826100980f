import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { finishing } from './finishing.ts'
import type { HeifEncoder } from './heif-enc.ts'
import type { Message } from './read-answers.ts'
import { type EndReason, RendererEnd } from './renderer-end.ts'
import { type Files, type Order, type RendererProcess, rendererProcess } from './renderer-process.ts'
import { limitTime, type TimeLimit } from './time-limit.ts'
import type { Answer } from './wire.ts'

export interface SlotSettings {
  /** What one image may take, from the first byte sent to the last received, unless its order says more. */
  readonly timeLimit: TimeLimit
  /** Starts one renderer process. */
  spawn(nice?: number): ChildProcess
  /** Resident bytes after which the renderer is replaced, where they are not those of all. */
  readonly recycleBytes?: number
  /** How long an image that nobody waits for may go on, where it is not as long as all. */
  readonly abandonGraceMs?: number
  /** Finishes HEIC, where heif-enc does. */
  readonly encodeHeif?: HeifEncoder | undefined
}

/** Why a renderer was replaced: it ended under its work, or it was due. */
export type RestartReason = EndReason | 'grown' | 'aged'

export interface SlotEvents {
  /** The slot has a renderer that waits for work. */
  onIdle(): void
  /** A renderer was replaced, and why. */
  onRestart(reason: RestartReason, detail: string): void
}

/** A place for one renderer process, which is replaced whenever it ends. */
export interface Slot {
  idle(): boolean
  ready(): boolean
  /**
   * Rejects with a RendererEnd when the renderer died, ran out of time, or was killed because nobody waits any more.
   * @param seconds that it may take, where that is more than the time limit of all
   */
  run(order: Order, files: Files, signal: AbortSignal, seconds?: number): Promise<Message>
  close(): void
}

/** A renderer that has grown past this is replaced: 70 MB are Node and libvips, the rest is heap that malloc keeps. */
const RECYCLE_BYTES = 190 * 1024 * 1024

/** One that has worked for this long is replaced, before the kernel's limit on a process's CPU can meet an image. */
const RECYCLE_CPU_SECONDS = 3_600

/**
 * The kernel's limit: an image that begins just before the end of the hour may use all threads (nine, of which four are
 * V8's compilers) until its time-out, whose longest this takes.
 */
export const cpuSecondsLimit = (longestSeconds: number, moreThreads = 0): number =>
  RECYCLE_CPU_SECONDS + (9 + moreThreads) * longestSeconds

/** An abandoned image that is nearly done costs less than a new process. */
const ABANDON_GRACE_MS = 250

/** Between attempts to start a renderer that dies before it is ready: doubled each time, up to this. */
const MAX_BACKOFF_MS = 10_000

export function startSlot(settings: SlotSettings, events: SlotEvents): Slot {
  let renderer: RendererProcess | undefined
  let busy = false
  let closed = false
  let failures = 0

  /** Keeps one renderer alive until the slot is closed: each turn of the loop is the life of one process. */
  async function supervise(): Promise<void> {
    while (!closed) {
      const why = await live().catch(notStarted)
      renderer = undefined
      if (closed) return
      if (failures > 0) {
        events.onRestart(why.reason, why.message)
        await sleep(Math.min(MAX_BACKOFF_MS, 100 * 2 ** failures))
      }
    }
  }
  /** One process: resolves with why it ended. Rejects when the system did not let it begin. */
  async function live(): Promise<RendererEnd> {
    const started = finishing(rendererProcess(settings.spawn()), settings.encodeHeif)
    started.ready.then(() => settle(started)).catch(() => failures++)
    const why = await started.gone
    // At work, its job tells.
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
    if (!renderer || busy) throw new Error('a job was given to a slot that is not idle')
    const mine = renderer
    busy = true
    let killed: 'timeout' | 'abandoned' | undefined
    const kill = (reason: 'timeout' | 'abandoned') => {
      killed = reason
      mine.kill()
    }
    const { timeLimit } = settings
    const callOff = limitTime({ ...timeLimit, seconds: Math.max(timeLimit.seconds, least) }, mine.pid(), () => kill('timeout'))
    let grace: NodeJS.Timeout | undefined
    const abandon = () => {
      grace = setTimeout(kill, settings.abandonGraceMs ?? ABANDON_GRACE_MS, 'abandoned')
    }
    signal.addEventListener('abort', abandon, { once: true })
    try {
      const message = await mine.render(order, files)
      // Its answer may have been on the way when it was killed; the next job would die with it.
      if (killed) replace(mine, killed, 'its answer was on the way')
      else replaceIfDue(mine, message.answer)
      return message
    } catch (error) {
      renderer = undefined
      const end = endOf(error, killed)
      if (!closed) events.onRestart(end.reason, end.message)
      throw end
    } finally {
      callOff()
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

  /** What killed it is known better here than to the system. */
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
