import type { HeicWriter } from '../codecs/heic/writers.ts'
import { type Lane, type RenderReport, startLane } from './lane.ts'
import { lowerPriority } from './lower-priority.ts'
import type { ModelRenderer } from './model-renderer.ts'
import { HEAVY_MEGAPIXELS } from './queue.ts'
import type { RestartReason, SlotSettings } from './slot.ts'

export interface LanesSettings extends Pick<SlotSettings, 'spawn' | 'encodeHeif'> {
  /** Renderer processes of each lane, and so images worked on at once. */
  readonly renderers: number
  readonly timeoutSeconds: number
  /** Renderers of the background are ended after so long without work. */
  readonly backgroundIdleSeconds?: number
  /** Nice value of the background's processes, 0 to 19: how much the kernel prefers all others. */
  readonly backgroundNice: number
  readonly heicWriter: HeicWriter
  /** Without it nothing may be sent to the lane `model`. */
  readonly model?: ModelRenderer
}

/**
 * `sync`: somebody waits for the answer. `background`: what is left of the processors, and of the room for heavy images.
 * `model`: as `sync`, in the one renderer that can read the models.
 */
export type LaneName = 'sync' | 'background' | 'model'

export const laneNames: readonly LaneName[] = ['sync', 'background', 'model']

export interface LanesEvents {
  onRender(report: RenderReport, lane: LaneName): void
  /** A renderer was replaced, and why. */
  onRestart(reason: RestartReason, detail: string, lane: LaneName): void
}

export interface Lanes extends Readonly<Record<LaneName, Lane>> {
  /** To be called when a job was taken from a queue. */
  onChange(): void
}

/** Renderers of the background take 0.4 s to start and, two of them, 100 MB while they are there. */
const BACKGROUND_IDLE_SECONDS = 30
/** A model takes up to a gigabyte while it is there, and seconds to come back. */
const MODEL_IDLE_SECONDS = 300
/** One that nobody waits for may be done by then, and spares the next one those seconds. */
const MODEL_GRACE_MS = 3_000

/** Processes of their own: the kernel gives the others precedence at every moment of an image, however large it is. */
const lowered = ({ spawn, encodeHeif, backgroundNice: nice }: LanesSettings): Pick<SlotSettings, 'spawn' | 'encodeHeif'> => ({
  spawn() {
    const child = spawn()
    lowerPriority(child, nice)
    return child
  },
  encodeHeif: encodeHeif && ((png, quality) => encodeHeif(png, quality, (child) => lowerPriority(child, nice))),
})

/** All lanes, of which `background` comes last wherever they meet: at the processors, and in the room for heavy images. */
export function startLanes(settings: LanesSettings, events: LanesEvents, onChanged: () => void): Lanes {
  const eventsOf = (lane: LaneName) => ({
    onRender: (report: RenderReport) => events.onRender(report, lane),
    onRestart: (reason: RestartReason, detail: string) => events.onRestart(reason, detail, lane),
    onChange,
  })
  const sync: Lane = startLane(
    {
      ...settings,
      timeLimit: { seconds: settings.timeoutSeconds, ofCpu: false },
      heavyElsewhere: () => background.heavy().atWork + model.heavy().atWork,
    },
    eventsOf('sync'),
  )
  const model: Lane = startLane(
    {
      ...settings,
      spawn: settings.model?.spawn ?? settings.spawn,
      ...(settings.model && { recycleBytes: settings.model.recycleBytes }),
      renderers: 1,
      abandonGraceMs: MODEL_GRACE_MS,
      timeLimit: { seconds: settings.model?.timeoutSeconds ?? settings.timeoutSeconds, ofCpu: false },
      idleSeconds: settings.model?.idleSeconds ?? MODEL_IDLE_SECONDS,
      heavyElsewhere: () => sync.heavy().atWork + background.heavy().atWork,
    },
    eventsOf('model'),
  )
  const background: Lane = startLane(
    {
      ...settings,
      ...lowered(settings),
      timeLimit: { seconds: settings.timeoutSeconds, ofCpu: true },
      idleSeconds: settings.backgroundIdleSeconds ?? BACKGROUND_IDLE_SECONDS,
      heavyElsewhere() {
        const [first, second] = [sync.heavy(), model.heavy()]
        return first.lacking + second.lacking > 0 ? Number.POSITIVE_INFINITY : first.atWork + second.atWork
      },
    },
    eventsOf('background'),
  )

  function onChange(): void {
    sync.dispatch()
    model.dispatch()
    makeRoom()
    background.dispatch()
    onChanged()
  }
  /** A heavy image that somebody waits for does not wait for those that the kernel keeps from the processors. */
  function makeRoom(): void {
    const [first, second] = [sync.heavy(), model.heavy()]
    const atWork = first.atWork + second.atWork
    const fits = ({ lacking }: typeof first) => lacking > 0 && atWork + lacking <= HEAVY_MEGAPIXELS
    if (fits(first) || fits(second)) background.interruptHeavy()
  }
  return { sync, background, model, onChange }
}
