import type pg from 'pg'
import { alarm } from './alarm.ts'
import type { ClaimedItem } from './batch.ts'
import { openBooks } from './books.ts'
import { type Claimant, claimItems, type ItemResult, renewLeases } from './claims.ts'
import type { Converter } from './convert-item.ts'
import { failBatch } from './fail-batch.ts'
import { openHands } from './hands.ts'
import { type OutageEvents, outage } from './outage.ts'
import { storagePause } from './storage-pause.ts'
import { openUploads } from './uploads.ts'

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
  /** Finishes what is in hand if that is soon, and hands back the rest. Called again, it returns the same promise. */
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
  const books = openBooks(database, server, databaseOutage, { inHand: () => hands.items().length, onEnded: events.onEnded })
  const pause = storagePause(blobs, outage(events.storage), settings.pauseMs)
  const uploads = openUploads(blobs)
  const onFault = (error: unknown) => stopping.signal.aborted || events.onFault(error)
  const hands = openHands(
    { ...settings, ...{ books, pause, uploads, onLostUpload, onFault, onResult: events.onResult } },
    settings.renderers,
  )
  const look = alarm()

  async function onLostUpload(batchId: string): Promise<void> {
    if (await failBatch(database, batchId, LOST_UPLOAD)) events.onEnded([batchId])
  }
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause.over(stopping.signal)
      const room = hands.room()
      if (room === 0) {
        await hands.roomChange()
        continue
      }
      const items = await claim(room)
      for (const item of items) hands.take(item)
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
    const held = hands.items()
    if (held.length === 0) return
    const kept = await renewLeases(database, server, held)
    const lost = held.filter(
      ({ batchId, seq, attempt }) => !kept.some((one) => one.batchId === batchId && one.seq === seq && one.attempt === attempt),
    )
    hands.abort((item) => lost.includes(item))
  }

  const renewing = setInterval(() => renew().catch(databaseOutage.failed), RENEW_MS)
  const working = work().catch(onFault)
  const stop = async () => {
    stopping.abort()
    look.ring()
    await working
    await hands.empty(settings.finishMs ?? FINISH_MS)
    hands.abort(() => true)
    await hands.empty(HAND_BACK_MS)
    books.close()
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
