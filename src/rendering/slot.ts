import { setTimeout as sleep } from 'node:timers/promises'
import { finishing } from './finishing.ts'
import type { Message } from './read-answers.ts'
import { type Files, type Order, type RendererProcess, rendererProcess } from './renderer-process.ts'
import { rendererSpawner } from './spawn-renderer.ts'

export interface SlotSettings {
  /** Seconds that one image may take, from the first byte sent to the last received. */
  readonly timeoutSeconds: number
  /** Private memory that one renderer may have, in MiB; the kernel refuses more. */
  readonly memoryMegabytes: number
}

export interface SlotEvents {
  /** The slot has a renderer that waits for work. */
  onIdle(): void
  /** A renderer was replaced, and why. */
  onRestart(reason: 'died' | 'timeout' | 'abandoned' | 'grown', detail: string): void
}

/** A place for one renderer process, which is replaced whenever it ends. */
export interface Slot {
  idle(): boolean
  ready(): boolean
  /** Rejects when the renderer died, ran out of time, or was killed because nobody waits any more. */
  run(order: Order, files: Files, signal: AbortSignal): Promise<Message>
  close(): void
}

/** A renderer that has grown past this is replaced: 70 MB are Node and libvips, the rest is heap that malloc keeps. */
const RECYCLE_BYTES = 190 * 1024 * 1024

/** An abandoned image that is nearly done costs less than a new process. */
const ABANDON_GRACE_MS = 250

/** Between attempts to start a renderer that dies before it is ready: doubled each time, up to this. */
const MAX_BACKOFF_MS = 10_000

export function startSlot(settings: SlotSettings, events: SlotEvents): Slot {
  const spawn = rendererSpawner(settings.memoryMegabytes)
  let renderer: RendererProcess | undefined
  let busy = false
  let closed = false
  let failures = 0

  /** Keeps one renderer alive until the slot is closed: each turn of the loop is the life of one process. */
  async function supervise(): Promise<void> {
    while (!closed) {
      const started = finishing(rendererProcess(spawn()))
      started.ready.then(() => settle(started)).catch(() => failures++)
      const why = await started.gone
      // At work, its job has told already.
      if (renderer === started && !closed) events.onRestart('died', why)
      renderer = undefined
      if (closed) return
      if (failures > 0) {
        events.onRestart('died', why)
        await sleep(Math.min(MAX_BACKOFF_MS, 100 * 2 ** failures))
      }
    }
  }
  function settle(started: RendererProcess): void {
    failures = 0
    renderer = started
    if (closed) started.kill()
    else events.onIdle()
  }
  void supervise()

  async function run(order: Order, files: Files, signal: AbortSignal): Promise<Message> {
    if (!renderer || busy) throw new Error('a job was given to a slot that is not idle')
    const mine = renderer
    busy = true
    let killed: 'timeout' | 'abandoned' | undefined
    const kill = (reason: 'timeout' | 'abandoned') => {
      killed = reason
      mine.kill()
    }
    const limit = setTimeout(kill, settings.timeoutSeconds * 1000, 'timeout')
    let grace: NodeJS.Timeout | undefined
    const abandon = () => {
      grace = setTimeout(kill, ABANDON_GRACE_MS, 'abandoned')
    }
    signal.addEventListener('abort', abandon, { once: true })
    try {
      const message = await mine.render(order, files)
      if (message.answer.rss > RECYCLE_BYTES) replace(mine, `${Math.round(message.answer.rss / 1024 / 1024)} MiB resident`)
      return message
    } catch (error) {
      renderer = undefined
      events.onRestart(killed ?? 'died', error instanceof Error ? error.message : String(error))
      throw error
    } finally {
      clearTimeout(limit)
      clearTimeout(grace)
      signal.removeEventListener('abort', abandon)
      busy = false
    }
  }
  function replace(grown: RendererProcess, detail: string): void {
    renderer = undefined
    grown.kill()
    events.onRestart('grown', detail)
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
