import type { HeicWriter } from '../codecs/heic/writers.ts'
import { type Lane, type LaneEvents, type LaneSettings, type RenderReport, shortWork, startLane } from './lane.ts'
import { accountShares, HEAVY_MEGAPIXELS, type Job } from './queue.ts'
import { lowerSession } from './sandbox/processes.ts'
import type { ModelRenderer } from './sandbox/renderers.ts'
import type { RestartReason, WorkerSettings } from './worker.ts'

export interface LanesSettings extends Pick<WorkerSettings, 'spawn' | 'encodeHeif'> {
  /** Renderer processes of each lane, and so images worked on at once; the lane long may have one more. */
  readonly renderers: number
  readonly timeoutSeconds: number
  /** Renderers of the background, and of long work, are ended after so long without work. */
  readonly backgroundIdleSeconds?: number
  readonly longIdleSeconds?: number
  /** Nice value of the background's processes, 0 to 19: how much the kernel prefers all others. Those of long work have half of it. */
  readonly backgroundNice: number
  readonly heicWriter: HeicWriter
  /** Without it nothing may be sent to the lane `model`. */
  readonly model?: ModelRenderer
}

/**
 * `sync`: somebody waits for the answer, and its renderers do short work only. `long`: as `sync`, what takes longer or is heavy.
 * `background`: what is left of the processors, and of the room for heavy images. `model`: as `sync`, in the one renderer that can
 * read the models.
 */
export type LaneName = 'sync' | 'long' | 'background' | 'model'

export const laneNames: readonly LaneName[] = ['sync', 'long', 'background', 'model']

export interface LanesEvents {
  onRender(report: RenderReport, lane: LaneName): void
  /** A renderer was replaced, and why. */
  onRestart(reason: RestartReason, detail: string, lane: LaneName): void
}

export interface Lanes extends Readonly<Record<LaneName, Lane>> {
  /** Whether images of the account were such lately that the lane sync is not to read even their headers. */
  isLong(account: string): boolean
  /** To be called when a job was taken from a queue. */
  onChange(): void
}

/** What happens between lanes. */
export interface BetweenLanes {
  onChanged(): void
  /** The lane sync hands a job on: to be added to the lane long, or rejected. */
  onLong(job: Job): void
}

/** Renderers of the background take 0.4 s to start and, two of them, 100 MB while they are there. */
const BACKGROUND_IDLE_SECONDS = 30
/** As those, but somebody waits while one starts. */
const LONG_IDLE_SECONDS = 120
/** Somebody waits: with short work in all other renderers, long work still has more than a quarter of the processors. */
const LONG_MOST_WAITING = 4
/** A model takes up to a gigabyte while it is there, and seconds to come back. */
const MODEL_IDLE_SECONDS = 300
/** One that nobody waits for may be done by then, and spares the next one those seconds. */
const MODEL_GRACE_MS = 3_000

/** Processes of their own: the kernel gives the others precedence at every moment of an image, however large it is. */
const lowered = ({ spawn, encodeHeif }: LanesSettings, nice: number): Pick<WorkerSettings, 'spawn' | 'encodeHeif'> => ({
  spawn() {
    const child = spawn(nice)
    lowerSession(child, nice)
    return child
  },
  encodeHeif: encodeHeif && ((png, quality) => encodeHeif(png, quality, nice)),
})

/** All lanes, of which `background` comes last wherever they meet: at the processors, and in the room for heavy images. */
export function startLanes(settings: LanesSettings, events: LanesEvents, { onChanged, onLong }: BetweenLanes): Lanes {
  const { renderers, timeoutSeconds, backgroundNice } = settings
  const short = shortWork()
  const start = (name: LaneName, own: Omit<LaneSettings, 'name' | keyof LanesSettings> & Partial<LaneSettings>): Lane => {
    const told: LaneEvents = {
      onRender: (report) => events.onRender(report, name),
      onRestart: (reason, detail) => events.onRestart(reason, detail, name),
      onChange,
    }
    return startLane({ ...settings, ...own, name }, told)
  }
  const sync = start('sync', {
    timeLimit: { seconds: timeoutSeconds, ofCpu: false },
    shares: accountShares(),
    short: { ...short, handOn: onLong, handOnLate: (job) => long.add(job) },
    heavyElsewhere: () => 0,
  })
  const long: Lane = start('long', {
    ...lowered(settings, Math.ceil(backgroundNice / 2)),
    // One more than a single account may have: another's first image does not wait for the end of one that takes a minute.
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

  function onChange(): void {
    sync.dispatch()
    long.dispatch()
    model.dispatch()
    makeRoom()
    background.dispatch()
    onChanged()
  }
  /** A heavy image that somebody waits for does not wait for those that the kernel keeps from the processors. */
  function makeRoom(): void {
    const [first, second] = [long.heavy(), model.heavy()]
    const atWork = first.atWork + second.atWork
    const fits = ({ lacking }: typeof first) => lacking > 0 && atWork + lacking <= HEAVY_MEGAPIXELS
    if (fits(first) || fits(second)) background.interruptHeavy()
  }
  return { sync, long, background, model, isLong: (account) => short.mostOf(account) === 0, onChange }
}
