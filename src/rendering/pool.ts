import { EventEmitter, once } from 'node:events'
import type { HeicWriter } from '../codecs/heic/writers.ts'
import { codecs } from '../codecs/index.ts'
import { ApiError } from '../contract/api-error.ts'
import type { OperationName } from '../operations/index.ts'
import type { Recipe } from '../operations/run.ts'
import type { Job, Rendered } from './job.ts'
import { HEAVY_MEGAPIXELS, jobQueue, LIGHT_MEGAPIXELS } from './queue.ts'
import type { Message } from './read-answers.ts'
import type { Files } from './renderer-process.ts'
import { type Slot, type SlotEvents, type SlotSettings, startSlot } from './slot.ts'

export interface PoolSettings extends SlotSettings {
  /** Renderer processes, and so images worked on at once. */
  readonly renderers: number
  /** Images that may wait. */
  readonly queue: number
  readonly heicWriter: HeicWriter
}

export interface RenderReport {
  readonly operation: OperationName
  /** The format of the answer, or the identifier of the error. */
  readonly outcome: string
  readonly waitSeconds: number
  readonly renderSeconds: number
}

export interface PoolEvents {
  onRender(report: RenderReport): void
  readonly onRestart: SlotEvents['onRestart']
}

/** The renderers and the bounded, ordered queue in front of them. */
export interface Pool {
  /**
   * @throws ApiError server_busy, conversion_failed, or what the renderer says of the image; the signal's reason once
   * nobody waits for the answer
   */
  render(recipe: Recipe, files: Files, signal: AbortSignal): Promise<Rendered>
  full(): boolean
  ready(): boolean
  state(): { readonly queued: number; readonly busy: number; readonly renderers: number }
  /** Lets what is queued finish, then ends the renderers. */
  close(): Promise<void>
}

const RETRY_AFTER_SECONDS = 1

export const serverBusy = (): ApiError => new ApiError('server_busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })

export function startPool(settings: PoolSettings, events: PoolEvents): Pool {
  const queue = jobQueue()
  const bell = new EventEmitter()
  let busy = 0
  let closing = false
  const slots: Slot[] = Array.from({ length: settings.renderers }, () =>
    startSlot(settings, { onIdle: dispatch, onRestart: events.onRestart }),
  )

  function dispatch(): void {
    for (const slot of slots) {
      if (!slot.idle()) continue
      const job = queue.take()
      if (!job) return
      void work(slot, job)
    }
  }

  async function work(slot: Slot, job: Job): Promise<void> {
    const began = performance.now()
    busy++
    try {
      const allowance = Math.max(LIGHT_MEGAPIXELS, job.weight)
      const order = { recipe: job.recipe, allowance, heicWriter: settings.heicWriter }
      const { answer, files } = await slot.run(order, job.files, job.signal)
      // Else a renderer that was taken over could keep an image in the queue for ever, and all heavy ones behind it.
      if (answer.outcome === 'heavy' && !(answer.megapixels > allowance && answer.megapixels <= HEAVY_MEGAPIXELS))
        throw new Error(`a renderer weighed ${answer.megapixels} megapixels`)
      queue.done(job)
      if (answer.outcome === 'heavy') queue.putBack(Object.assign(job, { weight: answer.megapixels }))
      else finish(job, began, { answer, files })
    } catch (cause) {
      queue.done(job)
      report(job, began, performance.now() - began, 'conversion_failed')
      job.reject(new ApiError('conversion_failed', { cause }))
    }
    busy--
    dispatch()
    if (busy === 0 && queue.length === 0) bell.emit('empty')
  }

  function finish(job: Job, began: number, { answer, files: [bytes] }: Message): void {
    if (answer.outcome === 'image' && bytes) {
      report(job, began, answer.ms, answer.codec)
      job.resolve({ bytes, codec: codecs[answer.codec], width: answer.width, height: answer.height })
    } else if (answer.outcome === 'error') {
      report(job, began, answer.ms, answer.code)
      job.reject(
        new ApiError(answer.code, {
          message: answer.message,
          cause: answer.cause,
          ...(answer.issues && { issues: answer.issues }),
        }),
      )
    }
  }

  function report(job: Job, began: number, ms: number, outcome: string): void {
    const waitSeconds = (began - job.queuedAt) / 1000
    events.onRender({ operation: job.recipe.operation, outcome, waitSeconds, renderSeconds: ms / 1000 })
  }

  function render(recipe: Recipe, files: Files, signal: AbortSignal): Promise<Rendered> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      if (full()) throw serverBusy()
      const job: Job = { recipe, files, signal, queuedAt: performance.now(), weight: 0, resolve, reject }
      signal.addEventListener('abort', () => queue.remove(job) && reject(signal.reason), { once: true })
      queue.add(job)
      dispatch()
    })
  }
  /** Full when more wait than may: a job that finds an idle renderer does not wait. */
  function full(): boolean {
    return closing || (queue.length >= settings.queue && !slots.some((slot) => slot.idle()))
  }

  return {
    render,
    full,
    ready: () => !closing && slots.some((slot) => slot.ready()),
    state: () => ({ queued: queue.length, busy, renderers: slots.filter((slot) => slot.ready()).length }),
    async close() {
      closing = true
      if (busy > 0 || queue.length > 0) await once(bell, 'empty')
      for (const slot of slots) slot.close()
    },
  }
}
