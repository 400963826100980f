import type pg from 'pg'
import { type OutageEvents, outage } from '../concurrency/outage.ts'
import type { ClaimedImage } from './batch.ts'
import { type Claimant, claimImages, type ItemResult, renewLeases } from './claim-images.ts'
import { type Converter, convertImage, type Handler, openUploads } from './convert-image.ts'
import { failBatch } from './end-batches.ts'
import { openResultRecorder } from './record-results.ts'
import { storagePause } from './storage-pause.ts'

/** Converts the images of all batches, as one of any number of workers. */
export interface BatchWorker {
  /** Notifies the worker of a new batch; otherwise it finds it within about a second. */
  poke(): void
  /** Finishes the images in flight if that is soon, and releases the others. Further calls return the same promise. */
  close(): Promise<void>
}

export interface WorkerSettings extends Converter {
  readonly database: pg.Pool
  readonly instance: Claimant
  /** Images that can be rendered at once. */
  readonly renderers: number
  /** Milliseconds of the first pause while the store is full or unavailable. */
  readonly pauseMs?: number
  /** Milliseconds that images in flight have to finish when the worker closes; then they are released. */
  readonly finishMs?: number
}

export interface WorkerEvents {
  /** A result that was accepted, or a crash that will be retried. */
  onResult(result: ItemResult): void
  /** Batches have ended: there are files to remove, and perhaps receivers to notify. */
  onEnded(batchIds: readonly string[]): void
  /** Begin and end of outages of the store and of the database; the worker continues afterwards. */
  readonly storage: OutageEvents
  readonly database: OutageEvents
  /** An unexpected error; its image is retried a few times. */
  onFault(error: unknown): void
}

/** Between polls when there is nothing to do; randomised, so that processes do not poll at the same moment. */
const POLL_MS = 1_000
/** For all workers together: looking for lost images reads all images in flight, wherever. */
const LOST_POLL_MS = 1_000
/** A lease lasts two minutes: three renewals may fail. */
const RENEW_MS = 30_000
/** Together far less than the 30 s in which a process stops: contract §9. */
const FINISH_MS = 10_000
const RELEASE_MS = 5_000

const LOST_UPLOAD = {
  code: 'conversion_failed',
  message: 'The uploaded archive was lost. Nothing was charged; please send it again.',
}

export function startBatchWorker(settings: WorkerSettings, events: WorkerEvents): BatchWorker {
  const { database, blobs, instance } = settings
  const { server } = instance
  const databaseOutage = outage(events.database)
  const stopping = new AbortController()
  const recorder = openResultRecorder(database, server, databaseOutage, {
    inFlight: () => inFlight.items().length,
    onEnded: events.onEnded,
  })
  const pause = storagePause(blobs, outage(events.storage), settings.pauseMs)
  const uploads = openUploads(blobs)
  const onFault = (error: unknown) => stopping.signal.aborted || events.onFault(error)
  const inFlight = inFlightImages(
    { ...settings, ...{ recorder, pause, uploads, onLostUpload, onFault, onResult: events.onResult } },
    settings.renderers,
  )
  const newBatch = autoResetEvent()

  async function onLostUpload(batchId: string): Promise<void> {
    if (await failBatch(database, batchId, LOST_UPLOAD)) events.onEnded([batchId])
  }
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause.over(stopping.signal)
      const capacity = inFlight.capacity()
      if (capacity === 0) {
        await inFlight.capacityChange()
        continue
      }
      const items = await claim(capacity)
      for (const item of items) inFlight.start(item)
      if (items.length < capacity) await newBatch.wait(POLL_MS * (0.8 + 0.4 * Math.random()))
    }
  }
  async function claim(most: number): Promise<readonly ClaimedImage[]> {
    try {
      const items = await claimImages(database, instance, most, LOST_POLL_MS)
      databaseOutage.worked()
      return items
    } catch (error) {
      databaseOutage.failed(error)
      return []
    }
  }
  /** Aborts images whose claim was lost. */
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
    newBatch.set()
    await working
    await inFlight.empty(settings.finishMs ?? FINISH_MS)
    inFlight.abort(() => true)
    await inFlight.empty(RELEASE_MS)
    recorder.close()
    clearInterval(renewing)
  }
  let stopped: Promise<void> | undefined
  return {
    poke: newBatch.set,
    close() {
      stopped ??= stop()
      return stopped
    },
  }
}

/** The images that a worker has claimed, and has neither finished nor released. */
interface InFlightImages {
  /** Starts to convert an image. */
  start(item: ClaimedImage): void
  /** How many more to claim, so that a renderer that becomes free finds an image that is read already. */
  capacity(): number
  /** Resolves when the capacity changes, and after a second. */
  capacityChange(): Promise<void>
  items(): readonly ClaimedImage[]
  /** Stops the work on the images for which `applies` is true, and releases them if the claim still is the worker's. */
  abort(applies: (item: ClaimedImage) => boolean): void
  /** Resolves when nothing is in flight, or after that time. */
  empty(ms: number): Promise<void>
}

function inFlightImages(handler: Handler, renderers: number): InFlightImages {
  const inFlight = new Map<ClaimedImage, AbortController>()
  const change = autoResetEvent()
  /** Images that still need a renderer. */
  let unrendered = 0
  const most = 2 * renderers + 2

  async function convert(item: ClaimedImage): Promise<void> {
    const abort = new AbortController()
    inFlight.set(item, abort)
    unrendered++
    const onRendered = () => {
      unrendered--
      change.set()
    }
    try {
      await convertImage(handler, item, abort.signal, { onRendered })
    } catch (error) {
      // The database received neither a result nor a release: the lease will expire.
      handler.onFault(error)
    }
    inFlight.delete(item)
    change.set()
  }

  return {
    start: (item) => void convert(item),
    // Claimed in groups, since one by one each image would cost two round trips; and no more than can be stored as fast.
    capacity: () => (unrendered > renderers + 1 || inFlight.size > 2 * most ? 0 : most - unrendered),
    capacityChange: () => change.wait(POLL_MS),
    items: () => [...inFlight.keys()],
    abort(applies) {
      for (const [item, abort] of inFlight) if (applies(item)) abort.abort()
    },
    async empty(ms) {
      for (const end = performance.now() + ms; inFlight.size > 0 && performance.now() < end; )
        await change.wait(end - performance.now())
    },
  }
}

/** Auto-reset event for one waiter. */
interface AutoResetEvent {
  set(): void
  /** Resolves when the event is set, or was set since the last wait, or after that time. */
  wait(ms: number): Promise<void>
}

function autoResetEvent(): AutoResetEvent {
  let isSet = false
  let wake = () => {}

  return {
    set() {
      isSet = true
      wake()
    },
    async wait(ms) {
      if (!isSet) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const timer = setTimeout(resolve, ms)
        await promise
        clearTimeout(timer)
      }
      isSet = false
    },
  }
}
