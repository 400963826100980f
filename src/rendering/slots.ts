import { type Slot, type SlotEvents, type SlotSettings, startSlot } from './slot.ts'

export interface SlotsSettings extends SlotSettings {
  /** Renderer processes, and so images worked on at once. */
  readonly renderers: number
  /** Seconds without work after which the renderers are ended, to be started again as they are needed. Without it they stay. */
  readonly idleSeconds?: number
}

/** The renderers of a lane: always there, or only as many as there was work for. */
export interface Slots {
  idle(): readonly Slot[]
  ready(): number
  /** There is work: starts the renderers that are lacking. @param jobs that could be at work at once */
  wake(jobs: number): void
  /** There is none. */
  rest(): void
  close(): void
}

export function startSlots(settings: SlotsSettings, events: SlotEvents): Slots {
  const { idleSeconds } = settings
  let slots: readonly Slot[] = []
  let resting: NodeJS.Timeout | undefined

  const start = (count: number) => {
    const lacking = Math.min(count, settings.renderers) - slots.length
    slots = [...slots, ...Array.from({ length: Math.max(0, lacking) }, () => startSlot(settings, events))]
  }
  const end = () => {
    for (const slot of slots) slot.close()
    slots = []
  }
  if (idleSeconds === undefined) start(settings.renderers)

  return {
    idle: () => slots.filter((slot) => slot.idle()),
    ready: () => slots.filter((slot) => slot.ready()).length,
    wake(jobs) {
      clearTimeout(resting)
      start(jobs)
    },
    rest() {
      clearTimeout(resting)
      if (idleSeconds !== undefined) resting = setTimeout(end, idleSeconds * 1000).unref()
    },
    close() {
      clearTimeout(resting)
      end()
    },
  }
}
