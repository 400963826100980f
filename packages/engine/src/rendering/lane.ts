import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { type TaskName, tasks } from '../tasks/index.ts'
import type { Task } from '../tasks/task.ts'
import type { Message } from './protocol.ts'
import { type Job, type JobQueueSettings, jobQueue, LIGHT_MEGAPIXELS, rejectIfUnwanted } from './queue.ts'
import { startWorkers, type Worker, type WorkerEvents, type WorkersSettings } from './worker.ts'

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

interface AtWork {
  /** By performance.now(). */
  readonly began: number
  /** Takes the job from its renderer. */
  readonly interrupt: AbortController
}

export function startLane(settings: LaneSettings, events: LaneEvents): Lane {
  const { short } = settings
  const queue = jobQueue(settings)
  const atWork = new Map<Job, AtWork>()
  const workers = startWorkers(settings, { ...events, onIdle: events.onChange })

  function dispatch(): void {
    for (const worker of workers.idle()) {
      const job = queue.take()
      if (!job) return
      void work(worker, job)
    }
    if (short && queue.length > 0) interruptLate()
  }

  /** A job that turns out to be long does not block the short jobs of other accounts. */
  function interruptLate(): void {
    const waiting = [...queue.waiting()]
    const before = performance.now() - OVERRUN_SECONDS * 1000
    for (const [{ account }, { began, interrupt }] of atWork)
      if (began <= before && waiting.some((other) => other !== account)) interrupt.abort()
  }

  async function work(worker: Worker, job: Job): Promise<void> {
    const began = performance.now()
    const interrupt = new AbortController()
    atWork.set(job, { began, interrupt })
    const late = short && setTimeout(dispatch, OVERRUN_SECONDS * 1000 + 1)
    try {
      const message = await run(worker, job, AbortSignal.any([job.signal, interrupt.signal]))
      leave(job)
      finish(job, began, message)
    } catch (cause) {
      // A job for which `finish` threw has left already.
      const interrupted = leave(job) && interrupt.signal.aborted && !job.signal.aborted
      if (!interrupted) fail(job, began, cause)
      else if (rejectIfUnwanted(job)) report(job, began, performance.now() - began, 'conversion_failed')
      else if (short) short.handOnLate(job)
      else queue.add(job)
    } finally {
      clearTimeout(late)
    }
    if (atWork.size === 0 && queue.length === 0) workers.rest()
    events.onChange()
  }

  function run(worker: Worker, { task, params, account, files, weight }: Job, signal: AbortSignal): Promise<Message> {
    const { secondsPerMegapixel: pace = 0 }: Task = tasks[task]
    // With a time limit by megapixels, the job is returned once, with their number.
    const allowance = pace > 0 && weight === 0 ? 0 : Math.max(LIGHT_MEGAPIXELS, weight)
    const order = {
      task,
      params,
      allowance,
      programs: settings.finishers?.programs ?? NO_PROGRAMS,
      ...(short && { seconds: short.mostOf(account) }),
    }
    return worker.run(order, files, signal, pace * weight)
  }

  /** Whether it was running. */
  function leave(job: Job): boolean {
    const left = atWork.get(job)
    if (!left) return false
    atWork.delete(job)
    queue.finish(job)
    short?.took(job.account, (performance.now() - left.began) / 1000)
    return true
  }

  function finish(job: Job, began: number, { answer, files }: Message): void {
    if (answer.outcome === 'heavy') {
      Object.assign(job, { weight: answer.megapixels })
      // Its client may have gone while its header was read.
      if (rejectIfUnwanted(job)) return
      if (short) short.handOn(job)
      else queue.add(job)
    } else if (answer.outcome === 'done') {
      const { plan }: Task = tasks[job.task]
      job.resolve({ report: answer.report, files })
      report(job, began, answer.ms, plan ? String(answer.report.format ?? 'recipe') : 'report')
    } else if (answer.outcome === 'error') {
      const { code, message, cause, issues, facts } = answer
      job.reject(new ImageError(code, { message, cause, ...(issues && { issues }), ...(facts && { facts }) }))
      report(job, began, answer.ms, code)
    } else {
      throw new Error(`a renderer's ${answer.outcome} is no end of a job`)
    }
  }

  function fail(job: Job, began: number, cause: unknown): void {
    job.reject(new ImageError('conversion_failed', { cause }))
    report(job, began, performance.now() - began, 'conversion_failed')
  }

  function report(job: Job, began: number, ms: number, outcome: string): void {
    const waitSeconds = (began - job.queuedAt) / 1000
    const { task, queuedAt } = job
    events.onRender({ task, outcome, waitSeconds, renderSeconds: ms / 1000 })
    job.onOver?.({ queuedAt, beganAt: began, endedAt: performance.now(), task, lane: settings.name, outcome })
  }

  return {
    add(job) {
      queue.add(job)
      workers.wake(queue.runnable)
      dispatch()
    },
    remove: queue.remove,
    wake() {
      workers.wake(1)
      if (atWork.size === 0 && queue.length === 0) workers.rest()
    },
    waitingOf: queue.waitingOf,
    waiting: queue.waiting,
    dispatch,
    interruptHeavy() {
      for (const [{ weight }, { interrupt }] of atWork) if (weight > LIGHT_MEGAPIXELS) interrupt.abort()
    },
    rejectAll(reason) {
      for (const job of [...queue.removeAll(), ...atWork.keys()]) job.reject(reason)
      for (const { interrupt } of atWork.values()) interrupt.abort()
      workers.close()
    },
    heavy: () => ({ atWork: queue.heavyAtWork, lacking: workers.idle().length > 0 ? queue.heavyNext : 0 }),
    state: () => ({
      queued: queue.length,
      busy: atWork.size,
      renderers: workers.ready(),
      idle: workers.idle().length,
      free: Math.max(0, settings.renderers - atWork.size),
      oldestSeconds: queue.oldestSeconds,
    }),
    atWork: () => [...atWork].map(([{ task }, { began }]) => ({ task, seconds: (performance.now() - began) / 1000 })),
    close: workers.close,
  }
}

/**
 * Maximum estimated seconds, on a common machine, of work for the renderers of the lane sync: a small image waits at most this
 * long for one of another account. Longer work goes to the lane long.
 */
export const SHORT_SECONDS = 0.15

/** A job that takes this long in the lane sync was underestimated, or the machine is slow: the account's limit is lowered. */
export const SLOW_SECONDS = 0.2

/** A job that has taken this long is interrupted if another account waits. */
const OVERRUN_SECONDS = 0.5

/** Below this limit, the lane sync does not even read the headers of the account's images. */
const LEAST_SECONDS = 0.005

/** After this time the account's limit doubles again. */
const DOUBLES_AFTER_SECONDS = 60

/**
 * The maximum estimated time of an account's work that counts as short. Files can be crafted to take much longer than their
 * headers suggest; an account whose images did so gets a lower limit for a few minutes.
 */
interface ShortWork {
  /** Seconds; 0 if all images of the account go to the lane long. */
  mostOf(account: string): number
  /** @param seconds for which an image of the account has occupied a renderer of the lane sync */
  took(account: string, seconds: number): void
}

/** @param now seconds on a monotonic clock */
export function shortWork(now: () => number = () => performance.now() / 1000): ShortWork {
  /** Number of accounts whose limit is lowered. */
  const accounts = new Map<string, { readonly most: number; readonly since: number }>()

  function mostOf(account: string): number {
    const less = accounts.get(account)
    if (!less) return SHORT_SECONDS
    const most = less.most * 2 ** ((now() - less.since) / DOUBLES_AFTER_SECONDS)
    return most < LEAST_SECONDS ? 0 : Math.min(most, SHORT_SECONDS)
  }
  return {
    mostOf,
    took(account, seconds) {
      if (seconds < SLOW_SECONDS) return
      for (const other of accounts.keys()) if (mostOf(other) >= SHORT_SECONDS) accounts.delete(other)
      // Never lower than what recovers within minutes.
      const most = Math.max(mostOf(account), LEAST_SECONDS) * Math.max(SHORT_SECONDS / seconds, 1 / 16)
      accounts.set(account, { most, since: now() })
    },
  }
}
