import type { HeicWriter } from '../codecs/heic/writers.ts'
import { codecs } from '../codecs/index.ts'
import { ApiError } from '../contract/api-error.ts'
import type { OperationName } from '../operations/index.ts'
import type { StudyName } from '../studies/index.ts'
import type { Job } from './job.ts'
import { secondsPerMegapixel } from './job-seconds.ts'
import { jobQueue, LIGHT_MEGAPIXELS } from './queue.ts'
import type { Message } from './read-answers.ts'
import type { Slot, SlotEvents } from './slot.ts'
import { type SlotsSettings, startSlots } from './slots.ts'

export interface LaneSettings extends SlotsSettings {
  readonly heicWriter: HeicWriter
  /** Megapixels that heavy images of other lanes take of the room which all lanes share. */
  heavyElsewhere(): number
}

export interface RenderReport {
  readonly operation: OperationName | StudyName
  /** The format of the answer, `report` of a study, or the identifier of the error. */
  readonly outcome: string
  readonly waitSeconds: number
  readonly renderSeconds: number
}

export interface LaneEvents {
  onRender(report: RenderReport): void
  readonly onRestart: SlotEvents['onRestart']
  /** A job is done or waits again, or a renderer has started: others may begin, or room may have to be made for them. */
  onChange(): void
}

/** A queue of its own with renderers of its own. */
export interface Lane {
  add(job: Job): void
  remove(job: Job): boolean
  /** Gives jobs to renderers as far as there are any and there is room. */
  dispatch(): void
  /** Takes heavy jobs from their renderers, which end; the jobs wait again, the first in line. */
  interruptHeavy(): void
  /** Rejects all jobs, those at work too, and ends their renderers. */
  rejectAll(reason: Error): void
  /** Megapixels of heavy jobs at work, and of the next that waits for room with a renderer at hand. */
  heavy(): { readonly atWork: number; readonly lacking: number }
  state(): LaneState
  atWork(): readonly JobAtWork[]
  close(): void
}

/** An image in a renderer. */
export interface JobAtWork {
  readonly operation: RenderReport['operation']
  /** Since it began. */
  readonly seconds: number
}

export interface LaneState {
  readonly queued: number
  readonly busy: number
  /** Renderer processes that can work, and those of them that do not. */
  readonly renderers: number
  readonly idle: number
  /** How long the job has waited that has for longest; 0 where none waits. */
  readonly oldestSeconds: number
}

export function startLane(settings: LaneSettings, events: LaneEvents): Lane {
  const queue = jobQueue(settings.heavyElsewhere)
  /** Jobs at work: since when, by performance.now(), and what takes each from its renderer. */
  const atWork = new Map<Job, { readonly began: number; readonly interrupt: AbortController }>()
  const slots = startSlots(settings, { onIdle: events.onChange, onRestart: events.onRestart })

  function dispatch(): void {
    for (const slot of slots.idle()) {
      const job = queue.take()
      if (!job) return
      void work(slot, job)
    }
  }

  async function work(slot: Slot, job: Job): Promise<void> {
    const began = performance.now()
    const interrupt = new AbortController()
    atWork.set(job, { began, interrupt })
    try {
      const message = await run(slot, job, AbortSignal.any([job.signal, interrupt.signal]))
      leave(job)
      finish(job, began, message)
    } catch (cause) {
      // What finish throws at has left already.
      const interrupted = leave(job) && interrupt.signal.aborted && !job.signal.aborted
      if (interrupted) queue.putBack(job)
      else fail(job, began, cause)
    }
    if (atWork.size === 0 && queue.length === 0) slots.rest()
    events.onChange()
  }

  function run(slot: Slot, { task, files, weight }: Job, signal: AbortSignal): Promise<Message> {
    const pace = secondsPerMegapixel(task)
    // Whose time goes by its pixels is handed back once, with their number.
    const allowance = pace > 0 && weight === 0 ? 0 : Math.max(LIGHT_MEGAPIXELS, weight)
    return slot.run({ task, allowance, heicWriter: settings.heicWriter }, files, signal, pace * weight)
  }

  /** Whether it was at work. */
  function leave(job: Job): boolean {
    if (!atWork.delete(job)) return false
    queue.done(job)
    return true
  }

  function finish(job: Job, began: number, { answer, files }: Message): void {
    const [bytes] = files
    if (answer.outcome === 'heavy') {
      queue.putBack(Object.assign(job, { weight: answer.megapixels }))
    } else if (answer.outcome === 'image' && bytes) {
      const { codec, width, height, warnings = [] } = answer
      job.resolve({ bytes, codec: codecs[codec], width, height, warnings })
      report(job, began, answer.ms, answer.codec)
    } else if (answer.outcome === 'report') {
      job.resolve({ report: answer.report, files })
      report(job, began, answer.ms, answer.outcome)
    } else if (answer.outcome === 'error') {
      const { code, message, cause, issues } = answer
      job.reject(new ApiError(code, { message, cause, ...(issues && { issues }) }))
      report(job, began, answer.ms, code)
    } else {
      throw new Error(`a renderer's ${answer.outcome} is no end of a job`)
    }
  }

  function fail(job: Job, began: number, cause: unknown): void {
    job.reject(new ApiError('conversion_failed', { cause }))
    report(job, began, performance.now() - began, 'conversion_failed')
  }

  function report(job: Job, began: number, ms: number, outcome: string): void {
    const waitSeconds = (began - job.queuedAt) / 1000
    const operation = nameOf(job)
    events.onRender({ operation, outcome, waitSeconds, renderSeconds: ms / 1000 })
    job.onOver?.({ queuedAt: job.queuedAt, beganAt: began, endedAt: performance.now(), operation, outcome })
  }

  return {
    add(job) {
      queue.add(job)
      slots.wake()
      dispatch()
    },
    remove: queue.remove,
    dispatch,
    interruptHeavy() {
      for (const [{ weight }, { interrupt }] of atWork) if (weight > LIGHT_MEGAPIXELS) interrupt.abort()
    },
    rejectAll(reason) {
      for (const job of [...queue.removeAll(), ...atWork.keys()]) job.reject(reason)
      for (const { interrupt } of atWork.values()) interrupt.abort()
      slots.close()
    },
    heavy: () => ({ atWork: queue.heavyAtWork, lacking: slots.idle().length > 0 ? queue.heavyNext : 0 }),
    state: () => ({
      queued: queue.length,
      busy: atWork.size,
      renderers: slots.ready(),
      idle: slots.idle().length,
      oldestSeconds: queue.oldestSeconds,
    }),
    atWork: () =>
      [...atWork].map(([job, { began }]) => ({ operation: nameOf(job), seconds: (performance.now() - began) / 1000 })),
    close: slots.close,
  }
}

const nameOf = ({ task }: Job): RenderReport['operation'] => ('study' in task ? task.study : task.operation)
