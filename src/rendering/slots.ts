import { type Slot, type SlotEvents, type SlotSettings, startSlot } from './slot.ts'

export interface SlotsSettings extends SlotSettings {
  /** Renderer processes, and so images worked on at once. */
  readonly renderers: number
  /** Seconds without work after which the renderers are ended, to be started again with the next image. Without it they stay. */
  readonly idleSeconds?: number
}

/** The renderers of a lane: always there, or only while there is work. */
export interface Slots {
  idle(): readonly Slot[]
  ready(): number
  /** There is work: starts the renderers if they are not there. */
  wake(): void
  /** There is none. */
  rest(): void
  close(): void
}

export function startSlots(settings: SlotsSettings, events: SlotEvents): Slots {
  const { idleSeconds } = settings
  let slots: readonly Slot[] = []
  let resting: NodeJS.Timeout | undefined

  const start = () => {
    slots = Array.from({ length: settings.renderers }, () => startSlot(settings, events))
  }
  const end = () => {
    for (const slot of slots) slot.close()
    slots = []
  }
  if (idleSeconds === undefined) start()

  return {
    idle: () => slots.filter((slot) => slot.idle()),
    ready: () => slots.filter((slot) => slot.ready()).length,
    wake() {
      clearTimeout(resting)
      if (slots.length === 0) start()
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
