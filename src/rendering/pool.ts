import { EventEmitter, once } from 'node:events'
import { ApiError } from '../contract/api-error.ts'
import { type TaskName, type TaskParams, type TaskReport, tasks } from '../tasks/index.ts'
import type { Task, TaskResult } from '../tasks/task.ts'
import { activeSpan, tracedBefore } from '../tracing.ts'
import type { JobAtWork, LaneState } from './lane.ts'
import { type LaneName, type LanesEvents, type LanesSettings, laneNames, startLanes } from './lanes.ts'
import type { Files } from './protocol.ts'
import { type Job, mayWait } from './queue.ts'

export interface PoolSettings extends LanesSettings {
  /** Images that may wait for an answer; those in the background are counted by whoever sends them. */
  readonly queue: number
}

/** What background images are rejected with when the server stops: nothing is wrong with them. */
export class PoolClosed extends Error {
  override name = 'PoolClosed' as const

  constructor() {
    super('the server is stopping')
  }
}

/** The lanes that callers choose from. The pool itself chooses `model` by the task, and `long` by the header of the image. */
export type CallersLane = Exclude<LaneName, 'model' | 'long'>

/** Runs tasks for one account; or for none, whose images share the renderers as those of one account do. */
export interface TaskRunner {
  /**
   * @param files the image first, then the others that the task takes
   * @throws ApiError server_busy (not in lane background), conversion_failed (see rendererCrashed), or what the renderer says of the
   * image; the signal's reason once nobody waits for the answer; PoolClosed (lane background alone)
   */
  run<Name extends TaskName>(
    task: Name,
    params: TaskParams<Name>,
    files: Files,
    signal: AbortSignal,
    lane?: CallersLane,
  ): Promise<TaskResult<TaskReport<Name>>>
}

/** The renderers and the bounded queues in front of them, which accounts share fairly. */
export interface Pool extends TaskRunner {
  /** For images of an account: its renderer time is counted, and its place is beside those of others. */
  of(account: string): TaskRunner
  /** Whether an image that somebody waits for is refused: of the account, or of one of which none waits. */
  full(account?: string): boolean
  /** Whether images that somebody waits for can be worked on. */
  ready(): boolean
  /** Images that wait for an answer: of the account, and of all. */
  waiting(account: string): { readonly own: number; readonly all: number }
  /** Accounts of which images wait for an answer. */
  accountsWaiting(): Iterable<string>
  state(lane: LaneName): LaneState
  atWork(lane: LaneName): readonly JobAtWork[]
  /** Rejects what is in the background at once, lets what is queued in sync finish, then ends the renderers. */
  close(): Promise<void>
}

const RETRY_AFTER_SECONDS = 1

/** Images that may wait for the models: there is one renderer for them, and whoever asked can do without. */
const MODEL_QUEUE = 8

export const serverBusy = (): ApiError => new ApiError('server_busy', { retryAfterSeconds: RETRY_AFTER_SECONDS })

export function startPool(settings: PoolSettings, events: LanesEvents): Pool {
  const emptied = new EventEmitter()
  const lanes = startLanes(settings, events, {
    onChanged: () => isEmpty() && emptied.emit('empty'),
    onLong(job) {
      const { own, all } = waiting(job.account)
      const free = Math.max(0, settings.renderers - lanes.long.state().busy)
      // The place that it had in the queue is its own.
      if (mayWait(own, all, settings.queue + 1 + free)) lanes.long.add(job)
      else job.reject(serverBusy())
    },
  })
  let closing = false

  function isEmpty(): boolean {
    return [lanes.sync, lanes.long, lanes.model]
      .map((lane) => lane.state())
      .every(({ busy, queued }) => busy === 0 && queued === 0)
  }
  function waiting(account: string) {
    const both = [lanes.sync, lanes.long]
    const sum = (count: (lane: (typeof both)[number]) => number) => both.reduce((total, lane) => total + count(lane), 0)
    return { own: sum((lane) => lane.waitingOf(account)), all: sum((lane) => lane.state().queued) }
  }
  async function enqueue(call: Pick<Job, 'account' | 'task' | 'params' | 'files' | 'signal'>, asked: LaneName) {
    const { account, signal } = call
    signal.throwIfAborted()
    if (asked === 'sync' && full(account)) throw serverBusy()
    if (asked === 'model' && isModelFull(account)) throw serverBusy()
    if (closing) throw new PoolClosed()
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult>()
    const [queuedAt, onOver] = [performance.now(), traceJob()]
    const job: Job = { ...call, queuedAt, weight: 0, resolve, reject, onOver }
    const leave = () => {
      if (!laneNames.some((name) => lanes[name].remove(job))) return
      reject(signal.reason)
      lanes.onChange()
    }
    signal.addEventListener('abort', leave, { once: true })
    lanes[asked === 'sync' && lanes.isLong(account) ? 'long' : asked].add(job)
    try {
      return await promise
    } finally {
      // A signal of AbortSignal.any() lives for ever while somebody listens to it, and would keep the files.
      signal.removeEventListener('abort', leave)
    }
  }
  /** A job that finds an idle renderer does not wait. */
  function full(account?: string): boolean {
    const { own, all } = waiting(account ?? '')
    return closing || !mayWait(account === undefined ? 0 : own, all, settings.queue + lanes.sync.state().idle)
  }
  const isModelFull = (account: string): boolean =>
    !mayWait(lanes.model.waitingOf(account), lanes.model.state().queued, MODEL_QUEUE)

  const of = (account: string): TaskRunner => ({
    async run<Name extends TaskName>(
      task: Name,
      params: TaskParams<Name>,
      files: Files,
      signal: AbortSignal,
      lane: CallersLane = 'sync',
    ) {
      const { needsModels }: Task = tasks[task]
      if (needsModels && !settings.model) throw new Error(`the task ${task} needs models, and there are none`)
      const result = await enqueue({ account, task, params, files, signal }, needsModels ? 'model' : lane)
      // The answer was accepted as one to this task, and its report was checked by the task's schema.
      return result as TaskResult<TaskReport<Name>>
    },
  })
  return {
    ...of(''),
    of,
    full,
    waiting,
    accountsWaiting: () => new Set([...lanes.sync.waiting(), ...lanes.long.waiting()]),
    ready: () => !closing && lanes.sync.state().renderers > 0,
    state: (lane) => lanes[lane].state(),
    atWork: (lane) => lanes[lane].atWork(),
    async close() {
      closing = true
      lanes.background.rejectAll(new PoolClosed())
      if (!isEmpty()) await once(emptied, 'empty')
      lanes.sync.close()
      lanes.long.close()
      lanes.model.close()
    },
  }
}

/** For the span that a job is a part of: its wait for a renderer, and its time in it. Undefined where nothing is traced. */
function traceJob(): Job['onOver'] {
  const parent = activeSpan()
  if (!parent) return undefined
  return ({ task, lane, outcome, queuedAt, beganAt, endedAt }) => {
    const facts = { 'pixelmill.operation': task, 'pixelmill.lane': lane }
    tracedBefore(parent, 'wait for renderer', facts, queuedAt, beganAt)
    tracedBefore(parent, 'render', { ...facts, 'pixelmill.outcome': outcome }, beganAt, endedAt)
  }
}
