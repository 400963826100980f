import { EventEmitter, once } from 'node:events'
import type { Programs } from '../codecs/programs.ts'
import { mayWait } from '../concurrency/may-wait.ts'
import { ApiError } from '../contract/api-error.ts'
import { type TaskName, type TaskParams, type TaskReport, tasks } from '../tasks/index.ts'
import type { Task, TaskResult } from '../tasks/task.ts'
import { activeSpan, tracedBefore } from '../tracing.ts'
import type { Encoder } from './external-program.ts'
import { type JobAtWork, type Lane, type LaneSettings, type LaneState, type RenderReport, shortWork, startLane } from './lane.ts'
import type { Files } from './protocol.ts'
import { accountShares, HEAVY_MEGAPIXELS, type Job } from './queue.ts'
import { lowerSession } from './sandbox/processes.ts'
import type { ModelRenderer } from './sandbox/renderers.ts'
import { RENDERERS_KEPT, type RestartReason, type WorkerEvents, type WorkerSettings } from './worker.ts'

export interface PoolSettings extends Pick<WorkerSettings, 'spawn' | 'encoders'> {
  /** Renderer processes of each lane, and so concurrent images; the lane long may have one more. */
  readonly renderers: number
  readonly timeoutSeconds: number
  /** Renderers of the lane sync that stay while there is no work, if they differ from a server's. */
  readonly syncKept?: number
  /** Renderers end after being idle for this long, except for those that are kept. */
  readonly syncIdleSeconds?: number
  readonly backgroundIdleSeconds?: number
  readonly longIdleSeconds?: number
  /** Nice value of background processes, 0 to 19: the higher, the more the kernel prefers others. Long work has half of it. */
  readonly backgroundNice: number
  /** Interactive images that may wait; the callers limit background ones themselves. */
  readonly queue: number
  readonly programs: Programs
  /** Without it nothing may be sent to the lane `model`. */
  readonly model?: ModelRenderer
}

/**
 * `sync`: short interactive requests. `long`: interactive requests that take longer or are heavy. `background`: batch work, with
 * the remaining processors and HEAVY_MEGAPIXELS. `model`: interactive requests, in the only renderer that can read the models.
 */
export type LaneName = 'sync' | 'long' | 'background' | 'model'

export const laneNames: readonly LaneName[] = ['sync', 'long', 'background', 'model']

export interface PoolEvents {
  onRender(report: RenderReport, lane: LaneName): void
  /** A renderer was replaced, and why. */
  onRestart(reason: RestartReason, detail: string, lane: LaneName): void
  /** A renderer has ended before it was ready, as have so many in a row. */
  readonly onStartFault?: WorkerEvents['onStartFault'] | undefined
}

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
   * @throws ApiError server_busy (not in the lane background), conversion_failed (see rendererCrashed), or the renderer's error
   * about the image; the signal's reason once it aborts; PoolClosed (only in the lane background)
   * @param wanted aborts the task too, unless a renderer has begun it: its result is of use to others
   */
  run<Name extends TaskName>(
    task: Name,
    params: TaskParams<Name>,
    files: Files,
    signal: AbortSignal,
    lane?: CallersLane,
    wanted?: AbortSignal,
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
  /** Rejects all work with this reason, now and later: renderers do not start. */
  fail(reason: Error): void
  /** Rejects background work at once, finishes queued work in sync, then ends the renderers. */
  close(): Promise<void>
}

/** Images that may wait for the models: there is only one renderer for them, and callers can do without. */
const MODEL_QUEUE = 8

export const serverBusy = (): ApiError => new ApiError('server_busy', { retryAfterSeconds: 1 })

export function startPool(settings: PoolSettings, events: PoolEvents): Pool {
  const emptied = new EventEmitter()
  const lanes = startLanes(settings, events, onLong, () => isEmpty() && emptied.emit('empty'))
  let closing = false
  let failure: Error | undefined

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
  /** Called when the lane sync hands over a job. */
  function onLong(job: Job): void {
    const { own, all } = waiting(job.account)
    const free = Math.max(0, settings.renderers - lanes.long.state().busy)
    // It keeps its position in the queue.
    if (mayWait(own, all, settings.queue + 1 + free)) lanes.long.add(job)
    else job.reject(serverBusy())
  }
  async function enqueue(call: Pick<Job, 'account' | 'task' | 'params' | 'files' | 'signal' | 'wanted'>, asked: LaneName) {
    const { account, signal, wanted } = call
    signal.throwIfAborted()
    wanted?.throwIfAborted()
    if ((asked === 'sync' && full(account)) || (asked === 'model' && isModelFull(account))) throw serverBusy()
    if (failure) throw failure
    if (closing) throw new PoolClosed()
    const { promise, resolve, reject } = Promise.withResolvers<TaskResult>()
    const [queuedAt, onOver] = [performance.now(), traceJob()]
    const job: Job = { ...call, queuedAt, weight: 0, resolve, reject, onOver }
    const leave = () => {
      if (!laneNames.some((name) => lanes[name].remove(job))) return
      reject((signal.aborted ? signal : wanted)?.reason)
      lanes.onChange()
    }
    for (const one of [signal, wanted]) one?.addEventListener('abort', leave, { once: true })
    lanes[asked === 'sync' && lanes.isLong(account) ? 'long' : asked].add(job)
    try {
      return await promise
    } finally {
      // A signal of AbortSignal.any() is never collected while it has a listener, and would keep the files in memory.
      for (const one of [signal, wanted]) one?.removeEventListener('abort', leave)
    }
  }
  /** A job that finds an idle renderer does not wait, nor one for which a renderer is started. */
  function full(account?: string): boolean {
    const { own, all } = waiting(account ?? '')
    return closing || !mayWait(account === undefined ? 0 : own, all, settings.queue + lanes.sync.state().free)
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
      wanted?: AbortSignal,
    ) {
      const { needsModels }: Task = tasks[task]
      if (needsModels && !settings.model) throw new Error(`the task ${task} needs models, and there are none`)
      const result = await enqueue({ account, task, params, files, signal, wanted }, needsModels ? 'model' : lane)
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
    fail(reason) {
      failure = reason
      for (const name of laneNames) lanes[name].rejectAll(reason)
    },
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

/** Adds to the active span the wait for a renderer and the time in it. Undefined if tracing is off. */
function traceJob(): Job['onOver'] {
  const parent = activeSpan()
  if (!parent) return undefined
  return ({ task, lane, outcome, queuedAt, beganAt, endedAt }) => {
    const facts = { 'pixelmill.operation': task, 'pixelmill.lane': lane }
    tracedBefore(parent, 'wait for renderer', facts, queuedAt, beganAt)
    tracedBefore(parent, 'render', { ...facts, 'pixelmill.outcome': outcome }, beganAt, endedAt)
  }
}

/** They are started again in 0.3 s, which a pause of minutes makes rare. */
const SYNC_IDLE_SECONDS = 300
/** Background renderers take 0.4 s to start and, two of them, 100 MB while they run. */
const BACKGROUND_IDLE_SECONDS = 30
/** Like those, but interactive requests wait while one starts. */
const LONG_IDLE_SECONDS = 120
/** With short work in all other renderers, long work still gets more than a quarter of the processors. */
const LONG_MOST_WAITING = 4
/** A model takes up to a gigabyte while it is loaded, and seconds to load. */
const MODEL_IDLE_SECONDS = 300
/** An aborted image may be done by then, which saves the loading for the next one. */
const MODEL_GRACE_MS = 3_000

/** Low-priority renderers: the kernel prefers all other processes at any moment, however large the image. */
const lowered = ({ spawn, encoders = {} }: PoolSettings, nice: number): Pick<WorkerSettings, 'spawn' | 'encoders'> => ({
  spawn() {
    const child = spawn(nice)
    lowerSession(child, nice)
    return child
  },
  encoders: Object.fromEntries(
    Object.entries(encoders).map(([name, encode]): [string, Encoder] => [name, (file, quality) => encode(file, quality, nice)]),
  ),
})

/**
 * All lanes; `background` comes last in the competition for processors and for the memory of heavy images.
 * @param onLong called when the lane sync hands over a job: it is added to the lane long, or rejected
 * @param onChanged a job has ended, or waits again
 */
function startLanes(settings: PoolSettings, events: PoolEvents, onLong: (job: Job) => void, onChanged: () => void) {
  const { renderers, timeoutSeconds, backgroundNice } = settings
  const short = shortWork()
  const start = (name: LaneName, own: Omit<LaneSettings, 'name' | keyof PoolSettings> & Partial<LaneSettings>): Lane => {
    const onRender = (report: RenderReport) => events.onRender(report, name)
    const onRestart = (reason: RestartReason, detail: string) => events.onRestart(reason, detail, name)
    return startLane({ ...settings, ...own, name }, { ...events, onRender, onRestart, onChange })
  }
  const sync = start('sync', {
    kept: settings.syncKept ?? RENDERERS_KEPT,
    idleSeconds: settings.syncIdleSeconds ?? SYNC_IDLE_SECONDS,
    timeLimit: { seconds: timeoutSeconds, ofCpu: false },
    shares: accountShares(),
    short: { ...short, handOn: onLong, handOnLate: (job) => long.add(job) },
    heavyElsewhere: () => 0,
  })
  const long: Lane = start('long', {
    ...lowered(settings, Math.ceil(backgroundNice / 2)),
    // One more than a single account may use, so that another account's first image does not wait for one that takes a minute.
    renderers: renderers + 1,
    mostOfOne: renderers,
    shares: accountShares(),
    timeLimit: { seconds: timeoutSeconds, ofCpu: true, mostWaiting: LONG_MOST_WAITING },
    idleSeconds: settings.longIdleSeconds ?? LONG_IDLE_SECONDS,
    heavyElsewhere: () => background.heavy().atWork + model.heavy().atWork,
  })
  const model = start('model', {
    spawn: settings.model?.spawn ?? settings.spawn,
    ...(settings.model && { recycleBytes: settings.model.recycleBytes }),
    renderers: 1,
    shares: accountShares(),
    abandonGraceMs: MODEL_GRACE_MS,
    timeLimit: { seconds: settings.model?.timeoutSeconds ?? timeoutSeconds, ofCpu: false },
    idleSeconds: settings.model?.idleSeconds ?? MODEL_IDLE_SECONDS,
    heavyElsewhere: () => long.heavy().atWork + background.heavy().atWork,
  })
  const background: Lane = start('background', {
    ...lowered(settings, backgroundNice),
    timeLimit: { seconds: timeoutSeconds, ofCpu: true },
    idleSeconds: settings.backgroundIdleSeconds ?? BACKGROUND_IDLE_SECONDS,
    heavyElsewhere() {
      const [first, second] = [long.heavy(), model.heavy()]
      return first.lacking + second.lacking > 0 ? Number.POSITIVE_INFINITY : first.atWork + second.atWork
    },
  })

  /** To be called when a job was taken from a queue, too. */
  function onChange(): void {
    sync.dispatch()
    long.dispatch()
    model.dispatch()
    interruptForHeavy()
    background.dispatch()
    onChanged()
  }
  /** Interactive heavy images displace heavy background ones, which run at a low priority. */
  function interruptForHeavy(): void {
    const [first, second] = [long.heavy(), model.heavy()]
    const atWork = first.atWork + second.atWork
    const fits = ({ lacking }: typeof first) => lacking > 0 && atWork + lacking <= HEAVY_MEGAPIXELS
    if (fits(first) || fits(second)) background.interruptHeavy()
  }
  /** Whether images of the account took so long recently that the lane sync does not even read their headers. */
  const isLong = (account: string): boolean => short.mostOf(account) === 0
  return { sync, long, background, model, isLong, onChange }
}
