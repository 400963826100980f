import type pg from 'pg'
import { autoResetEvent } from '../concurrency/auto-reset-event.ts'
import { type OutageEvents, outage } from '../concurrency/outage.ts'
import type { ClaimKey } from './batch.ts'
import { type Claim, type Claimant, claimImages, type ItemResult, renewLeases, type Wanted } from './claim-images.ts'
import { type Converter, openUploads } from './convert-image.ts'
import { failBatch } from './end-batches.ts'
import { imagesInHand } from './images-in-hand.ts'
import { openResultRecorder } from './record-results.ts'
import { storagePause } from './storage-pause.ts'

/** Converts the images of all batches, as one of any number of workers. */
export interface BatchWorker {
  /** Notifies the worker of a new batch; otherwise it finds it within about a second. */
  poke(): void
  /** Releases the images that were not started, finishes the others if that is soon, and releases what is left. Further calls return the same promise. */
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
    expects: (batchId) => inHand.expects(batchId),
    onEnded: events.onEnded,
  })
  const pause = storagePause(blobs, outage(events.storage), settings.pauseMs)
  const uploads = openUploads(blobs)
  const onFault = (error: unknown) => stopping.signal.aborted || events.onFault(error)
  const inHand = imagesInHand(
    { ...settings, ...{ recorder, pause, uploads, onLostUpload, onRefused, onFault, onResult: events.onResult } },
    settings.renderers,
    () => newBatch.set(),
  )
  /** Set also when nothing is in hand any more: then images that are to be converted apart from others can be claimed. */
  const newBatch = autoResetEvent()
  let isPoked = false
  let lookedAt = Number.NEGATIVE_INFINITY
  let renewing = false

  async function onLostUpload(batchId: string): Promise<void> {
    if (await failBatch(database, batchId, LOST_UPLOAD)) events.onEnded([batchId])
  }
  /** Other images of the batch need not be rendered either. */
  function onRefused(): void {
    renew().catch(databaseOutage.failed)
  }
  async function work(): Promise<void> {
    while (!stopping.signal.aborted) {
      await pause.over(stopping.signal)
      const wanted = inHand.wanted(isPoked)
      isPoked = false
      if (!wanted) {
        await inHand.change()
        continue
      }
      const claims = await claim(wanted)
      inHand.onClaimed(wanted, claims)
      inHand.add(claims)
      if (claims.length === 0) await newBatch.wait(POLL_MS * (0.8 + 0.4 * Math.random()))
    }
  }
  async function claim(wanted: Omit<Wanted, 'lookEveryMs'>): Promise<readonly Claim[]> {
    const isDue = performance.now() - lookedAt >= LOST_POLL_MS
    try {
      const claims = await claimImages(database, instance, { ...wanted, lookEveryMs: isDue ? LOST_POLL_MS : null })
      if (isDue) lookedAt = performance.now()
      databaseOutage.worked()
      return claims
    } catch (error) {
      databaseOutage.failed(error)
      return []
    }
  }
  /** Aborts images whose claim was lost. */
  async function renew(): Promise<void> {
    const held = inHand.items()
    if (held.length === 0 || renewing) return
    renewing = true
    try {
      const kept = new Set((await renewLeases(database, server, held)).map(claimName))
      const lost = new Set(held.filter((item) => !kept.has(claimName(item))))
      inHand.abort((item) => lost.has(item))
    } finally {
      renewing = false
    }
  }

  const renewals = setInterval(() => renew().catch(databaseOutage.failed), RENEW_MS)
  const working = work().catch(onFault)
  const stop = async () => {
    stopping.abort()
    inHand.close()
    newBatch.set()
    await working
    await inHand.empty(settings.finishMs ?? FINISH_MS)
    inHand.abort(() => true)
    await inHand.empty(RELEASE_MS)
    recorder.close()
    clearInterval(renewals)
  }
  let stopped: Promise<void> | undefined
  return {
    poke() {
      isPoked = true
      inHand.wake()
      newBatch.set()
    },
    close() {
      stopped ??= stop()
      return stopped
    },
  }
}

const claimName = ({ batchId, seq, attempt }: ClaimKey): string => `${batchId}/${seq}/${attempt}`
