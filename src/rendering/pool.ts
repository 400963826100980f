import { EventEmitter, once } from 'node:events'
import { ApiError } from '../contract/api-error.ts'
import { type StudyName, type StudyParams, type StudyReport, studies } from '../tasks/index.ts'
import type { Recipe } from '../tasks/run.ts'
import type { Examined, Study } from '../tasks/task.ts'
import { activeSpan, tracedBefore } from '../tracing/tracing.ts'
import type { JobAtWork, LaneState } from './lane.ts'
import { type LaneName, type LanesEvents, type LanesSettings, laneNames, startLanes } from './lanes.ts'
import type { Task } from './protocol.ts'
import { type Job, mayWait, type Rendered } from './queue.ts'
import type { Files } from './renderer-process.ts'

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

/** Of the others nobody has to think: studies say by themselves that they need models, headers how long work is. */
export type CallersLane = Exclude<LaneName, 'model' | 'long'>

/** What renderers do for one account; or for nobody's, whose images share one turn. */
export interface Renderings {
  /**
   * @throws ApiError server_busy (not in lane background), conversion_failed (see rendererCrashed), or what the renderer says of the
   * image; the signal's reason once nobody waits for the answer; PoolClosed (lane background alone)
   */
  render(recipe: Recipe, files: Files, signal: AbortSignal, lane?: CallersLane): Promise<Rendered>
  /**
   * As `render`, but what comes back is what was found out about the file, and the files that the study made.
   * @param others files that the study takes beside the first, such as what another service made of it
   */
  study<Name extends StudyName>(
    name: Name,
    params: StudyParams<Name>,
    file: readonly Buffer[],
    signal: AbortSignal,
    lane?: CallersLane,
    others?: Files,
  ): Promise<{ readonly report: StudyReport<Name>; readonly files: readonly Buffer[] }>
}

/** The renderers and the bounded queues in front of them, in which accounts take turns. */
export interface Pool extends Renderings {
  /** For images of an account: its renderer time is counted, and its place is beside those of others. */
  of(account: string): Renderings
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
  const bell = new EventEmitter()
  const lanes = startLanes(settings, events, {
    onChanged: () => isEmpty() && bell.emit('empty'),
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
  async function give(account: string, task: Task, files: Files, signal: AbortSignal, asked: LaneName) {
    signal.throwIfAborted()
    if (asked === 'sync' && full(account)) throw serverBusy()
    if (asked === 'model' && isModelFull(account)) throw serverBusy()
    if (closing) throw new PoolClosed()
    const { promise, resolve, reject } = Promise.withResolvers<Rendered | Examined>()
    const [queuedAt, onOver] = [performance.now(), renderSpans()]
    const job: Job = { account, task, files, signal, queuedAt, weight: 0, resolve, reject, onOver }
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

  const of = (account: string): Renderings => ({
    async render(recipe, files, signal, lane = 'sync') {
      const result = await give(account, recipe, files, signal, lane)
      if ('report' in result) throw new Error('an operation ended in a report')
      return result
    },
    async study(study, params, file, signal, lane = 'sync', others = []) {
      const { needsModels }: Study = studies[study]
      if (needsModels && !settings.model) throw new Error(`the study ${study} needs models, and there are none`)
      const result = await give(account, { study, params }, [file, ...others], signal, needsModels ? 'model' : lane)
      if (!('report' in result)) throw new Error('a study ended in an image')
      // Of this study, and checked by its schema, where it came in.
      return { report: result.report as StudyReport<typeof study>, files: result.files }
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
      if (!isEmpty()) await once(bell, 'empty')
      lanes.sync.close()
      lanes.long.close()
      lanes.model.close()
    },
  }
}

/** For the span that a job is a part of: its wait for a renderer, and its time in it. Undefined where nothing is traced. */
export function renderSpans(): Job['onOver'] {
  const parent = activeSpan()
  if (!parent) return undefined
  return ({ operation, lane, outcome, queuedAt, beganAt, endedAt }) => {
    const facts = { 'pixelmill.operation': operation, 'pixelmill.lane': lane }
    tracedBefore(parent, 'wait for renderer', facts, queuedAt, beganAt)
    tracedBefore(parent, 'render', { ...facts, 'pixelmill.outcome': outcome }, beganAt, endedAt)
  }
}
