import { type Lane, type LaneSettings, type RenderReport, startLane } from './lane.ts'
import { accountShares, HEAVY_MEGAPIXELS, type Job } from './queue.ts'
import { lowerSession } from './sandbox/processes.ts'
import type { ModelRenderer } from './sandbox/renderers.ts'
import { shortWork } from './short-work.ts'
import { RENDERERS_KEPT, type RestartReason, type WorkerEvents, type WorkerSettings } from './worker.ts'

export interface PoolSettings extends Pick<WorkerSettings, 'spawn' | 'finishers'> {
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
const lowPriority = ({ spawn }: PoolSettings, nice: number): Pick<WorkerSettings, 'spawn' | 'nice'> => ({
  nice,
  spawn() {
    const child = spawn(nice)
    lowerSession(child, nice)
    return child
  },
})

/**
 * All lanes; `background` comes last in the competition for processors and for the memory of heavy images.
 * @param onLong called when the lane sync hands over a job: it is added to the lane long, or rejected
 * @param onChanged a job has ended, or waits again
 */
export function startLanes(settings: PoolSettings, events: PoolEvents, onLong: (job: Job) => void, onChanged: () => void) {
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
    ...lowPriority(settings, Math.ceil(backgroundNice / 2)),
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
    ...lowPriority(settings, backgroundNice),
    timeLimit: { seconds: timeoutSeconds, ofCpu: true },
    idleSeconds: settings.backgroundIdleSeconds ?? BACKGROUND_IDLE_SECONDS,
    heavyElsewhere() {
      const first = long.heavy()
      const second = model.heavy()
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
    const first = long.heavy()
    const second = model.heavy()
    const atWork = first.atWork + second.atWork
    const fits = ({ lacking }: typeof first) => lacking > 0 && atWork + lacking <= HEAVY_MEGAPIXELS
    if (fits(first) || fits(second)) background.interruptHeavy()
  }
  /** Whether images of the account took so long recently that the lane sync does not even read their headers. */
  const isLong = (account: string): boolean => short.mostOf(account) === 0
  return { sync, long, background, model, isLong, onChange }
}
