import { EventEmitter, once } from 'node:events'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { mayWait } from '../concurrency/capacity.ts'
import { type TaskName, type TaskParams, type TaskReport, tasks } from '../tasks/index.ts'
import type { Task, TaskResult } from '../tasks/task.ts'
import { activeSpan, recordSpan } from '../tracing.ts'
import type { JobAtWork, Lane, LaneState } from './lane.ts'
import { type LaneName, laneNames, type PoolEvents, type PoolSettings, startLanes } from './lanes.ts'
import type { Files } from './protocol.ts'
import type { Job } from './queue.ts'

export { type LaneName, laneNames, type PoolEvents, type PoolSettings } from './lanes.ts'

/** Background images are rejected with this when the server stops: they are not at fault. */
export class PoolClosed extends Error {
  override name = 'PoolClosed' as const

  constructor() {
    super('the server is stopping')
  }
}

/** The lanes that callers choose from. The pool itself chooses `model` by the task, and `long` by the image's header. */
export type CallersLane = Exclude<LaneName, 'model' | 'long'>

/** Runs tasks for one account, or for none: those share the renderers like the images of one account. */
export interface TaskRunner {
  /**
   * @param files the image first, then the task's other files
   * @throws ImageError server_busy (not in the lane background), conversion_failed (see rendererCrashed), or the renderer's error
   * about the image; the signal's reason once it aborts; PoolClosed (only in the lane background)
   * @param queueSignal aborts the task too, unless a renderer has begun it: its result is of use to others
   */
  run<Name extends TaskName>(
    task: Name,
    params: TaskParams<Name>,
    files: Files,
    signal: AbortSignal,
    lane?: CallersLane,
    queueSignal?: AbortSignal,
  ): Promise<TaskResult<TaskReport<Name>>>
}

/** The renderers and the bounded queues in front of them, which accounts share fairly. */
export interface Pool extends TaskRunner {
  /** For images of an account: its rendering time counts towards its fair share. */
  of(account: string): TaskRunner
  /** Whether an interactive request is refused: of this account, or of one without waiting images. */
  full(account?: string): boolean
  /** Whether interactive requests can be processed. */
  ready(): boolean
  /** Waiting interactive images: of the account, and of all. */
  waiting(account: string): { readonly own: number; readonly all: number }
  /** Number of accounts with waiting interactive images. */
  accountsWaiting(): Iterable<string>
  state(lane: LaneName): LaneState
  atWork(lane: LaneName): readonly JobAtWork[]
  /** Starts a renderer of a lane before its first image. It ends like one that has had work. */
  wake(lane: LaneName): void
  /** Rejects all work with this reason, now and later: renderers do not start. */
  fail(reason: Error): void
  /** Rejects background work at once, finishes queued work in sync, then ends the renderers. */
  close(): Promise<void>
}

/** Images that may wait for the models: there is only one renderer for them, and callers can do without. */
const MODEL_QUEUE = 8

export const serverBusy = (): ImageError => new ImageError('server_busy', { retryAfterSeconds: 1 })

export function startPool(settings: PoolSettings, events: PoolEvents): Pool {
  const intake = new Intake(settings, events)
  const { lanes } = intake

  const of = (account: string): TaskRunner => ({
    async run<Name extends TaskName>(
      task: Name,
      params: TaskParams<Name>,
      files: Files,
      signal: AbortSignal,
      lane: CallersLane = 'sync',
      queueSignal?: AbortSignal,
    ) {
      const { needsModels }: Task = tasks[task]
      if (needsModels && !settings.model) throw new Error(`the task ${task} needs models, and there are none`)
      const result = await intake.run({ account, task, params, files, signal, queueSignal }, needsModels ? 'model' : lane)
      // The answer was accepted as one to this task, and its report was checked by the task's schema.
      return result as TaskResult<TaskReport<Name>>
    },
  })
  return {
    ...of(''),
    of,
    full: (account) => intake.isFull(account),
    waiting: (account) => intake.waiting(account),
    accountsWaiting: () => new Set([...lanes.sync.waiting(), ...lanes.long.waiting()]),
    ready: () => intake.isReady(),
    state: (lane) => lanes[lane].state(),
    atWork: (lane) => lanes[lane].atWork(),
    wake: (lane) => lanes[lane].wake(),
    fail: (reason) => intake.fail(reason),
    close: () => intake.close(),
  }
}

type Call = Pick<Job, 'account' | 'task' | 'params' | 'files' | 'signal' | 'queueSignal'>

/** The lanes, and who may wait in front of them. */
class Intake {
  readonly lanes: ReturnType<typeof startLanes>
  readonly #settings: PoolSettings
  /** Emits `empty` when no caller waits for a result. */
  readonly #progress = new EventEmitter()
  #isClosing = false
  #failure: Error | undefined

  constructor(settings: PoolSettings, events: PoolEvents) {
    this.#settings = settings
    const onChanged = () => this.#isEmpty() && this.#progress.emit('empty')
    this.lanes = startLanes(settings, events, (job) => this.#addLong(job), onChanged)
  }

  async run(call: Call, choice: LaneName): Promise<TaskResult> {
    const { account, signal, queueSignal } = call
    const { lanes } = this
    this.#admit(call, choice)
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult>()
    const queuedAt = performance.now()
    const onOver = traceJob()
    const job: Job = { ...call, queuedAt, weight: 0, resolve, reject, onOver }
    const leave = () => {
      if (!laneNames.some((name) => lanes[name].remove(job))) return
      reject((signal.aborted ? signal : queueSignal)?.reason)
      lanes.onChange()
    }
    for (const one of [signal, queueSignal]) one?.addEventListener('abort', leave, { once: true })
    lanes[choice === 'sync' && lanes.isLong(account) ? 'long' : choice].add(job)
    try {
      return await promise
    } finally {
      // A signal of AbortSignal.any() is never collected while it has a listener, and would keep the files in memory.
      for (const one of [signal, queueSignal]) one?.removeEventListener('abort', leave)
    }
  }

  /** A job that finds an idle renderer does not wait, nor one for which a renderer is started. */
  isFull(account?: string): boolean {
    const { own, all } = this.waiting(account ?? '')
    const places = this.#settings.queue + this.lanes.sync.state().free
    return this.#isClosing || !mayWait(account === undefined ? 0 : own, all, places)
  }

  isReady(): boolean {
    return !this.#isClosing && this.lanes.sync.state().renderers > 0
  }

  waiting(account: string): { readonly own: number; readonly all: number } {
    const both = [this.lanes.sync, this.lanes.long]
    const sum = (count: (lane: Lane) => number) => both.reduce((total, lane) => total + count(lane), 0)
    return { own: sum((lane) => lane.waitingOf(account)), all: sum((lane) => lane.state().queued) }
  }

  fail(reason: Error): void {
    this.#failure = reason
    for (const name of laneNames) this.lanes[name].rejectAll(reason)
  }

  async close(): Promise<void> {
    const { sync, long, model, background } = this.lanes
    this.#isClosing = true
    background.rejectAll(new PoolClosed())
    if (!this.#isEmpty()) await once(this.#progress, 'empty')
    sync.close()
    long.close()
    model.close()
  }

  #admit({ account, signal, queueSignal }: Call, choice: LaneName): void {
    signal.throwIfAborted()
    queueSignal?.throwIfAborted()
    if ((choice === 'sync' && this.isFull(account)) || (choice === 'model' && this.#isModelFull(account))) throw serverBusy()
    if (this.#failure) throw this.#failure
    if (this.#isClosing) throw new PoolClosed()
  }

  #isModelFull(account: string): boolean {
    const { model } = this.lanes
    return !mayWait(model.waitingOf(account), model.state().queued, MODEL_QUEUE)
  }

  /** The lane sync has handed over a job, which keeps its position in the queue. */
  #addLong(job: Job): void {
    const { own, all } = this.waiting(job.account)
    const { renderers, queue } = this.#settings
    const free = Math.max(0, renderers - this.lanes.long.state().busy)
    if (mayWait(own, all, queue + 1 + free)) this.lanes.long.add(job)
    else job.reject(serverBusy())
  }

  #isEmpty(): boolean {
    return [this.lanes.sync, this.lanes.long, this.lanes.model]
      .map((lane) => lane.state())
      .every(({ busy, queued }) => busy === 0 && queued === 0)
  }
}

/** Adds to the active span the wait for a renderer and the time in it. Undefined if tracing is off. */
function traceJob(): Job['onOver'] {
  const parent = activeSpan()
  if (!parent) return undefined
  return ({ task, lane, outcome, queuedAt, beganAt, endedAt }) => {
    const facts = { 'pixelmill.operation': task, 'pixelmill.lane': lane }
    recordSpan(parent, 'wait for renderer', facts, queuedAt, beganAt)
    recordSpan(parent, 'render', { ...facts, 'pixelmill.outcome': outcome }, beganAt, endedAt)
  }
}
