import { EventEmitter, once } from 'node:events'
import { ApiError } from '../contract/api-error.ts'
import type { Recipe } from '../operations/run.ts'
import { type StudyName, type StudyParams, type StudyReport, studies } from '../studies/index.ts'
import type { Examined, Study } from '../studies/study.ts'
import type { Job, Rendered } from './job.ts'
import type { JobAtWork, LaneState } from './lane.ts'
import { type LaneName, type LanesEvents, type LanesSettings, startLanes } from './lanes.ts'
import { renderSpans } from './render-spans.ts'
import type { Files } from './renderer-process.ts'
import type { Task } from './wire.ts'

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

/** Of the lane `model` nobody has to think: studies say by themselves that they need it. */
export type CallersLane = Exclude<LaneName, 'model'>

/** The renderers and the bounded, ordered queues in front of them. */
export interface Pool {
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
  /** Of the lane sync, as is `ready`. */
  full(): boolean
  ready(): boolean
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
  const lanes = startLanes(settings, events, () => isEmpty() && bell.emit('empty'))
  let closing = false

  function isEmpty(): boolean {
    return [lanes.sync, lanes.model].map((lane) => lane.state()).every(({ busy, queued }) => busy === 0 && queued === 0)
  }
  async function give(task: Task, files: Files, signal: AbortSignal, name: LaneName): Promise<Rendered | Examined> {
    signal.throwIfAborted()
    if (name === 'sync' && full()) throw serverBusy()
    if (name === 'model' && lanes.model.state().queued >= MODEL_QUEUE) throw serverBusy()
    if (closing) throw new PoolClosed()
    const { promise, resolve, reject } = Promise.withResolvers<Rendered | Examined>()
    const job: Job = { task, files, signal, queuedAt: performance.now(), weight: 0, resolve, reject, onOver: renderSpans(name) }
    const leave = () => {
      if (!lanes[name].remove(job)) return
      reject(signal.reason)
      lanes.onChange()
    }
    signal.addEventListener('abort', leave, { once: true })
    lanes[name].add(job)
    try {
      return await promise
    } finally {
      // A signal of AbortSignal.any() lives for ever while somebody listens to it, and would keep the files.
      signal.removeEventListener('abort', leave)
    }
  }
  /** Full when more wait than may: a job that finds an idle renderer does not wait. */
  function full(): boolean {
    const { queued, idle } = lanes.sync.state()
    return closing || (queued >= settings.queue && idle === 0)
  }

  return {
    async render(recipe, files, signal, lane = 'sync') {
      const result = await give(recipe, files, signal, lane)
      if ('report' in result) throw new Error('an operation ended in a report')
      return result
    },
    async study(study, params, file, signal, lane = 'sync', others = []) {
      const { needsModels }: Study = studies[study]
      if (needsModels && !settings.model) throw new Error(`the study ${study} needs models, and there are none`)
      const result = await give({ study, params }, [file, ...others], signal, needsModels ? 'model' : lane)
      if (!('report' in result)) throw new Error('a study ended in an image')
      // Of this study, and checked by its schema, where it came in.
      return { report: result.report as StudyReport<typeof study>, files: result.files }
    },
    full,
    ready: () => !closing && lanes.sync.state().renderers > 0,
    state: (lane) => lanes[lane].state(),
    atWork: (lane) => lanes[lane].atWork(),
    async close() {
      closing = true
      lanes.background.rejectAll(new PoolClosed())
      if (!isEmpty()) await once(bell, 'empty')
      lanes.sync.close()
      lanes.model.close()
    },
  }
}
