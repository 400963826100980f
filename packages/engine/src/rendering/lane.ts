import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { type TaskName, tasks } from '../tasks/index.ts'
import type { Task } from '../tasks/task.ts'
import type { Message } from './protocol.ts'
import { type Job, type JobQueue, type JobQueueSettings, jobQueue, LIGHT_MEGAPIXELS, rejectIfUnwanted } from './queue.ts'
import { startWorkers, type Worker, type WorkerEvents, type Workers, type WorkersSettings } from './worker.ts'

export interface LaneSettings extends WorkersSettings, Omit<JobQueueSettings, 'heavyElsewhere'> {
  readonly name: string
  /** Megapixels of heavy images being rendered in other lanes: HEAVY_MEGAPIXELS is a limit for all lanes together. */
  heavyElsewhere(): number
  /** Options of a lane for short work only. */
  readonly short?: ShortOnly
}

/** Longer work is handed over to another lane. */
interface ShortOnly {
  /** Maximum estimated seconds of work of an account. */
  mostOf(account: string): number
  /** An image of the account has occupied a renderer for this long. */
  took(account: string, seconds: number): void
  /** The job is heavy, or estimated to be longer: its weight is known. */
  handOn(job: Job): void
  /** The job has taken far longer than estimated while another account waited, and is restarted. */
  handOnLate(job: Job): void
}

export interface RenderReport {
  readonly task: TaskName
  /** The format of the image that an operation wrote, `recipe` or `report` for other tasks, or the error identifier. */
  readonly outcome: string
  readonly waitSeconds: number
  readonly renderSeconds: number
}

interface LaneEvents {
  onRender(report: RenderReport): void
  readonly onRestart: WorkerEvents['onRestart']
  readonly onStartFault?: WorkerEvents['onStartFault'] | undefined
  /** A job is done or waits again, or a renderer has started: other jobs may start, or need one to be interrupted. */
  onChange(): void
}

/** A queue of its own with renderers of its own. */
export interface Lane {
  add(job: Job): void
  remove(job: Job): boolean
  /** Starts a renderer, which ends when it has had no work for the lane's time. */
  wake(): void
  /** Number of waiting jobs of an account. */
  waitingOf(account: string): number
  /** Number of accounts with waiting jobs. */
  waiting(): Iterable<string>
  /** Assigns jobs to idle renderers, as far as HEAVY_MEGAPIXELS allows. */
  dispatch(): void
  /** Takes heavy jobs from their renderers, which end; the jobs wait again, at the front of the queue. */
  interruptHeavy(): void
  /** Rejects all jobs, including running ones, and ends their renderers. */
  rejectAll(reason: Error): void
  /** Megapixels of running heavy jobs, and of the next one if a renderer is idle. */
  heavy(): { readonly atWork: number; readonly lacking: number }
  state(): LaneState
  atWork(): readonly JobAtWork[]
  close(): void
}

/** An image in a renderer. */
export interface JobAtWork {
  readonly task: TaskName
  /** Seconds since it started. */
  readonly seconds: number
}

export interface LaneState {
  readonly queued: number
  readonly busy: number
  /** Ready renderer processes, and how many of them are idle. */
  readonly renderers: number
  readonly idle: number
  /** Renderers without a job, whether they have been started or not. */
  readonly free: number
  /** How long the oldest waiting job has waited; 0 if none waits. */
  readonly oldestSeconds: number
}

interface RunningJob {
  /** By performance.now(). */
  readonly began: number
  /** Takes the job from its renderer. */
  readonly interrupt: AbortController
}

export const startLane = (settings: LaneSettings, events: LaneEvents): Lane => new QueueWithRenderers(settings, events)

/** A job that has taken this long is interrupted if another account waits. */
const OVERRUN_SECONDS = 0.5

class QueueWithRenderers implements Lane {
  readonly #settings: LaneSettings
  readonly #events: LaneEvents
  readonly #queue: JobQueue
  readonly #workers: Workers
  readonly #running = new Map<Job, RunningJob>()

  constructor(settings: LaneSettings, events: LaneEvents) {
    this.#settings = settings
    this.#events = events
    this.#queue = jobQueue(settings)
    this.#workers = startWorkers(settings, { ...events, onIdle: events.onChange })
  }

  add(job: Job): void {
    this.#queue.add(job)
    this.#workers.wake(this.#queue.runnable)
    this.dispatch()
  }

  remove(job: Job): boolean {
    return this.#queue.remove(job)
  }

  wake(): void {
    this.#workers.wake(1)
    this.#restIfIdle()
  }

  waitingOf(account: string): number {
    return this.#queue.waitingOf(account)
  }

  waiting(): Iterable<string> {
    return this.#queue.waiting()
  }

  dispatch(): void {
    for (const worker of this.#workers.idle()) {
      const job = this.#queue.take()
      if (!job) return
      void this.#work(worker, job)
    }
    if (this.#settings.short && this.#queue.length > 0) this.#interruptLate()
  }

  interruptHeavy(): void {
    for (const [{ weight }, { interrupt }] of this.#running) if (weight > LIGHT_MEGAPIXELS) interrupt.abort()
  }

  rejectAll(reason: Error): void {
    for (const job of [...this.#queue.removeAll(), ...this.#running.keys()]) job.reject(reason)
    for (const { interrupt } of this.#running.values()) interrupt.abort()
    this.#workers.close()
  }

  heavy(): { readonly atWork: number; readonly lacking: number } {
    const lacking = this.#workers.idle().length > 0 ? this.#queue.heavyNext : 0
    return { atWork: this.#queue.heavyAtWork, lacking }
  }

  state(): LaneState {
    return {
      queued: this.#queue.length,
      busy: this.#running.size,
      renderers: this.#workers.ready(),
      idle: this.#workers.idle().length,
      free: Math.max(0, this.#settings.renderers - this.#running.size),
      oldestSeconds: this.#queue.oldestSeconds,
    }
  }

  atWork(): readonly JobAtWork[] {
    return [...this.#running].map(([{ task }, { began }]) => ({ task, seconds: (performance.now() - began) / 1000 }))
  }

  close(): void {
    this.#workers.close()
  }

  /** A job that turns out to be long does not block the short jobs of other accounts. */
  #interruptLate(): void {
    const waiting = [...this.#queue.waiting()]
    const before = performance.now() - OVERRUN_SECONDS * 1000
    for (const [{ account }, { began, interrupt }] of this.#running)
      if (began <= before && waiting.some((other) => other !== account)) interrupt.abort()
  }

  async #work(worker: Worker, job: Job): Promise<void> {
    const { short } = this.#settings
    const began = performance.now()
    const interrupt = new AbortController()
    this.#running.set(job, { began, interrupt })
    const overrun = short && setTimeout(() => this.dispatch(), OVERRUN_SECONDS * 1000 + 1)
    try {
      const message = await this.#render(worker, job, AbortSignal.any([job.signal, interrupt.signal]))
      this.#leave(job)
      this.#finish(job, began, message)
    } catch (cause) {
      // A job for which `#finish` threw has left already.
      const isInterrupted = this.#leave(job) && interrupt.signal.aborted && !job.signal.aborted
      if (!isInterrupted) this.#fail(job, began, cause)
      else if (rejectIfUnwanted(job)) this.#report(job, began, performance.now() - began, 'conversion_failed')
      else if (short) short.handOnLate(job)
      else this.#queue.add(job)
    } finally {
      clearTimeout(overrun)
    }
    this.#restIfIdle()
    this.#events.onChange()
  }

  #render(worker: Worker, { task, params, account, files, weight }: Job, signal: AbortSignal): Promise<Message> {
    const { short, finishers } = this.#settings
    const { secondsPerMegapixel: pace = 0 }: Task = tasks[task]
    // With a time limit by megapixels, the job is returned once, with their number.
    const allowance = pace > 0 && weight === 0 ? 0 : Math.max(LIGHT_MEGAPIXELS, weight)
    const programs = finishers?.programs ?? NO_PROGRAMS
    const order = { task, params, allowance, programs, ...(short && { seconds: short.mostOf(account) }) }
    return worker.run(order, files, signal, pace * weight)
  }

  /** Whether it was running. */
  #leave(job: Job): boolean {
    const runningJob = this.#running.get(job)
    if (!runningJob) return false
    this.#running.delete(job)
    this.#queue.finish(job)
    this.#settings.short?.took(job.account, (performance.now() - runningJob.began) / 1000)
    return true
  }

  #finish(job: Job, began: number, { answer, files }: Message): void {
    if (answer.outcome === 'heavy') {
      this.#weigh(job, answer.megapixels)
    } else if (answer.outcome === 'done') {
      const { plan }: Task = tasks[job.task]
      job.resolve({ report: answer.report, files })
      this.#report(job, began, answer.ms, plan ? String(answer.report.format ?? 'recipe') : 'report')
    } else if (answer.outcome === 'error') {
      const { code, message, cause, issues, facts } = answer
      job.reject(new ImageError(code, { message, cause, ...(issues && { issues }), ...(facts && { facts }) }))
      this.#report(job, began, answer.ms, code)
    } else {
      throw new Error(`a renderer's ${answer.outcome} is no end of a job`)
    }
  }

  /** The job waits again, with its weight, here or in another lane. */
  #weigh(job: Job, megapixels: number): void {
    const { short } = this.#settings
    Object.assign(job, { weight: megapixels })
    // Its client may have gone while its header was read.
    if (rejectIfUnwanted(job)) return
    if (short) short.handOn(job)
    else this.#queue.add(job)
  }

  #fail(job: Job, began: number, cause: unknown): void {
    job.reject(new ImageError('conversion_failed', { cause }))
    this.#report(job, began, performance.now() - began, 'conversion_failed')
  }

  #report(job: Job, began: number, ms: number, outcome: string): void {
    const waitSeconds = (began - job.queuedAt) / 1000
    const { task, queuedAt } = job
    this.#events.onRender({ task, outcome, waitSeconds, renderSeconds: ms / 1000 })
    const { name: lane } = this.#settings
    job.onOver?.({ queuedAt, beganAt: began, endedAt: performance.now(), task, lane, outcome })
  }

  #restIfIdle(): void {
    if (this.#running.size === 0 && this.#queue.length === 0) this.#workers.rest()
  }
}
