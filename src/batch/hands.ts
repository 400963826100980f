import { alarm } from './alarm.ts'
import type { ClaimedItem } from './batch.ts'
import { type Handler, handleItem } from './handle-item.ts'

/** The images that a worker has claimed and not yet got rid of. */
export interface Hands {
  /** Starts to work on it. */
  take(item: ClaimedItem): void
  /** How many more may be claimed so that every renderer, free again, finds an image that was read already. */
  room(): number
  /** Resolves when there is room again, and after a second. */
  roomChange(): Promise<void>
  items(): readonly ClaimedItem[]
  /** Stops the work on those to which it applies; what was their worker's still is handed back. */
  abort(applies: (item: ClaimedItem) => boolean): void
  /** Resolves when nothing is in hand, or the time is over. */
  empty(ms: number): Promise<void>
}

const LOOK_MS = 1_000

export function openHands(handler: Handler, renderers: number): Hands {
  const inHand = new Map<ClaimedItem, AbortController>()
  const change = alarm()
  /** Those that still need a renderer. */
  let ahead = 0
  const most = 2 * renderers + 2

  async function take(item: ClaimedItem): Promise<void> {
    const abort = new AbortController()
    inHand.set(item, abort)
    ahead++
    const onRendered = () => {
      ahead--
      change.ring()
    }
    try {
      await handleItem(handler, item, abort.signal, { onRendered })
    } catch (error) {
      // The database heard of neither result nor hand-back: the claim ends by itself.
      handler.onFault(error)
    }
    inHand.delete(item)
    change.ring()
  }

  return {
    take: (item) => void take(item),
    // In groups: one by one, each image would cost two round trips. Nor more than can be stored and written as fast.
    room: () => (ahead > renderers + 1 || inHand.size > 2 * most ? 0 : most - ahead),
    roomChange: () => change.wait(LOOK_MS),
    items: () => [...inHand.keys()],
    abort(applies) {
      for (const [item, abort] of inHand) if (applies(item)) abort.abort()
    },
    async empty(ms) {
      for (const end = performance.now() + ms; inHand.size > 0 && performance.now() < end; )
        await change.wait(end - performance.now())
    },
  }
}
