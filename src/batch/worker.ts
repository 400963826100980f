import type pg from 'pg'
import type { ClaimedItem } from './batch.ts'
import { type Claimant, claimItems, type ItemResult, renewLeases } from './claim-images.ts'
import { type Converter, type Handler, handleItem, openUploads } from './convert-image.ts'
import { failBatch } from './end-batches.ts'
import { type OutageEvents, outage, storagePause } from './outages.ts'
import { openResultRecorder } from './record-results.ts'

export interface WorkerSettings extends Converter {
  readonly database: pg.Pool
  readonly presence: Claimant
  /** Images that can be rendered at once. */
  readonly renderers: number
  /** Milliseconds of the first pause while the store is full or away. */
  readonly pauseMs?: number
  /** Milliseconds that images in hand have at the end; what is not finished then is handed back. */
  readonly finishMs?: number
}

export interface WorkerEvents {
  /** A result that counts, or a crash that will be tried again. */
  onResult(result: ItemResult): void
  /** Batches have ended: there are files to remove, and there may be somebody to tell. */
  onEnded(batchIds: readonly string[]): void
  /** Begin and end of times in which the store, or the database, does not do as asked; the worker goes on afterwards. */
  readonly storage: OutageEvents
  readonly database: OutageEvents
  /** An error that should not be; its image is tried again a few times. */
  onFault(error: unknown): void
}

/** Converts the images of all batches, as one of any number of workers. */
export interface BatchWorker {
  /** There is a new batch: it is looked for at once, else within about a second. */
  poke(): void
  /** Finishes what is in hand if that is soon, and inFlight back the rest. Called again, it returns the same promise. */
  close(): Promise<void>
}

/** Between looks when there is nothing to do; processes do not look all at the same moment. */
const LOOK_MS = 1_000
/** Of all workers together: a look reads all images under way, wherever. */
const LOST_LOOK_MS = 1_000
/** A lease is of two minutes: three renewals may fail. */
const RENEW_MS = 30_000
/** Together far less than the 30 s in which a process stops: contract §9. */
const FINISH_MS = 10_000
const HAND_BACK_MS = 5_000

const LOST_UPLOAD = {
  code: 'conversion_failed',
  message: 'The uploaded archive was lost. Nothing was charged; please send it again.',
}

export function startBatchWorker(settings: WorkerSettings, events: WorkerEvents): BatchWorker {
  const { database, blobs, presence } = settings
  const { server } = presence
  const databaseOutage = outage(events.database)
  const stopping = new AbortController()
  const recorder = openResultRecorder(database, server, databaseOutage, {
    inHand: () => inFlight.items().length,
    onEnded: events.onEnded,
  })
  const pause = storagePause(blobs, outage(events.storage), settings.pauseMs)
  const uploads = openUploads(blobs)
  const onFault = (error: unknown) => stopping.signal.aborted || events.onFault(error)
  const inFlight = inFlightImages(
    { ...settings, ...{ recorder, pause, uploads, onLostUpload, onFault, onResult: events.onResult } },
    settings.renderers,
  )
  const look = autoResetEvent()

  async function onLostUpload(batchId: string): Promise<void> {
    if (await failBatch(database, batchId, LOST_UPLOAD)) events.onEnded([batchId])
  }
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause.over(stopping.signal)
      const room = inFlight.room()
      if (room === 0) {
        await inFlight.roomChange()
        continue
      }
      const items = await claim(room)
      for (const item of items) inFlight.take(item)
      if (items.length < room) await look.wait(LOOK_MS * (0.8 + 0.4 * Math.random()))
    }
  }
  async function claim(most: number): Promise<readonly ClaimedItem[]> {
    try {
      const items = await claimItems(database, presence, most, LOST_LOOK_MS)
      databaseOutage.worked()
      return items
    } catch (error) {
      databaseOutage.failed(error)
      return []
    }
  }
  /** Images whose claim was lost need not be converted. */
  async function renew(): Promise<void> {
    const held = inFlight.items()
    if (held.length === 0) return
    const kept = await renewLeases(database, server, held)
    const lost = held.filter(
      ({ batchId, seq, attempt }) => !kept.some((one) => one.batchId === batchId && one.seq === seq && one.attempt === attempt),
    )
    inFlight.abort((item) => lost.includes(item))
  }

  const renewing = setInterval(() => renew().catch(databaseOutage.failed), RENEW_MS)
  const working = work().catch(onFault)
  const stop = async () => {
    stopping.abort()
    look.ring()
    await working
    await inFlight.empty(settings.finishMs ?? FINISH_MS)
    inFlight.abort(() => true)
    await inFlight.empty(HAND_BACK_MS)
    recorder.close()
    clearInterval(renewing)
  }
  let stopped: Promise<void> | undefined
  return {
    poke: look.ring,
    close() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** The images that a worker has claimed and not yet got rid of. */
export interface InFlightImages {
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

export function inFlightImages(handler: Handler, renderers: number): InFlightImages {
  const inHand = new Map<ClaimedItem, AbortController>()
  const change = autoResetEvent()
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

/** Wakes who sleeps, or who sleeps next. For one sleeper. */
export interface AutoResetEvent {
  ring(): void
  /** Resolves when it rings or has rung since the last wait, or when the time is over. */
  wait(ms: number): Promise<void>
}

export function autoResetEvent(): AutoResetEvent {
  let rung = false
  let wake = () => {}

  return {
    ring() {
      rung = true
      wake()
    },
    async wait(ms) {
      if (!rung) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
      }
      rung = false
    },
  }
}
