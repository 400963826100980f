import type pg from 'pg'
import { autoResetEvent } from '../concurrency/auto-reset-event.ts'
import { type Outage, type OutageEvents, outage } from '../concurrency/outage.ts'
import type { ClaimKey } from './batch.ts'
import { type Claim, type Claimant, type ClaimRequest, claimImages, type ItemResult, renewLeases } from './claim-images.ts'
import type { Handler } from './convert-image.ts'
import { failBatch } from './end-batches.ts'
import { ImagesInHand } from './images-in-hand.ts'
import { OpenUploads } from './open-uploads.ts'
import { openResultRecorder, type ResultRecorder } from './record-results.ts'
import type { Converter } from './render-image.ts'
import { type StoragePause, storagePause } from './storage-pause.ts'

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
/** Together far less than the 30 s in which a process stops: `limits.shutdown`. */
const FINISH_MS = 10_000
const RELEASE_MS = 5_000

const LOST_UPLOAD = {
  code: 'conversion_failed',
  message: 'The uploaded archive was lost. Nothing was charged; please send it again.',
}

export const startBatchWorker = (settings: WorkerSettings, events: WorkerEvents): BatchWorker => new Worker(settings, events)

class Worker implements BatchWorker {
  readonly #settings: WorkerSettings
  readonly #events: WorkerEvents
  readonly #databaseOutage: Outage
  readonly #stopping = new AbortController()
  readonly #recorder: ResultRecorder
  readonly #pause: StoragePause
  readonly #inHand: ImagesInHand
  /** Set also when nothing is in hand any more: then images that are to be converted apart from others can be claimed. */
  readonly #newBatch = autoResetEvent()
  readonly #renewals: NodeJS.Timeout
  readonly #work: Promise<void>
  #isPoked = false
  #isRenewing = false
  #lookedForLostAt = Number.NEGATIVE_INFINITY
  #end: Promise<void> | undefined

  constructor(settings: WorkerSettings, events: WorkerEvents) {
    const { database, blobs, instance, pauseMs, renderers } = settings
    this.#settings = settings
    this.#events = events
    this.#databaseOutage = outage(events.database)
    this.#recorder = openResultRecorder(database, instance.server, this.#databaseOutage, {
      expects: (batchId) => this.#inHand.expects(batchId),
      onEnded: events.onEnded,
    })
    this.#pause = storagePause(blobs, outage(events.storage), pauseMs)
    const handler: Handler = {
      ...settings,
      recorder: this.#recorder,
      pause: this.#pause,
      uploads: new OpenUploads(blobs),
      onLostUpload: (batchId) => this.#failLostUpload(batchId),
      // Other images of the batch need not be rendered either.
      onRefused: () => this.#renewOrReport(),
      onFault: (error) => this.#report(error),
      onResult: events.onResult,
    }
    this.#inHand = new ImagesInHand(handler, renderers, () => this.#newBatch.set())
    this.#renewals = setInterval(() => this.#renewOrReport(), RENEW_MS)
    this.#work = this.#claimUntilStop().catch((error) => this.#report(error))
  }

  poke(): void {
    this.#isPoked = true
    this.#inHand.wake()
    this.#newBatch.set()
  }

  close(): Promise<void> {
    this.#end ??= this.#stop()
    return this.#end
  }

  async #stop(): Promise<void> {
    this.#stopping.abort()
    this.#inHand.close()
    this.#newBatch.set()
    await this.#work
    await this.#inHand.empty(this.#settings.finishMs ?? FINISH_MS)
    this.#inHand.abort(() => true)
    await this.#inHand.empty(RELEASE_MS)
    this.#recorder.close()
    clearInterval(this.#renewals)
  }

  async #claimUntilStop(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      await this.#pause.over(signal)
      const request = this.#inHand.request(this.#isPoked)
      this.#isPoked = false
      if (!request) {
        await this.#inHand.change()
        continue
      }
      const claims = await this.#claim(request)
      this.#inHand.onClaimed(request, claims)
      this.#inHand.add(claims)
      if (claims.length === 0) await this.#newBatch.wait(POLL_MS * (0.8 + 0.4 * Math.random()))
    }
  }

  async #claim(request: Omit<ClaimRequest, 'lookEveryMs'>): Promise<readonly Claim[]> {
    const { database, instance } = this.#settings
    const isDue = performance.now() - this.#lookedForLostAt >= LOST_POLL_MS
    try {
      const claims = await claimImages(database, instance, { ...request, lookEveryMs: isDue ? LOST_POLL_MS : null })
      if (isDue) this.#lookedForLostAt = performance.now()
      this.#databaseOutage.worked()
      return claims
    } catch (error) {
      this.#databaseOutage.failed(error)
      return []
    }
  }

  #renewOrReport(): void {
    this.#renew().catch(this.#databaseOutage.failed)
  }

  /** Aborts images whose claim was lost. */
  async #renew(): Promise<void> {
    const items = this.#inHand.items()
    if (items.length === 0 || this.#isRenewing) return
    this.#isRenewing = true
    try {
      const renewals = await renewLeases(this.#settings.database, this.#settings.instance.server, items)
      const ours = new Set(renewals.map(claimName))
      const lostImages = new Set(items.filter((item) => !ours.has(claimName(item))))
      this.#inHand.abort((item) => lostImages.has(item))
    } finally {
      this.#isRenewing = false
    }
  }

  async #failLostUpload(batchId: string): Promise<void> {
    if (await failBatch(this.#settings.database, batchId, LOST_UPLOAD)) this.#events.onEnded([batchId])
  }

  #report(error: unknown): void {
    if (!this.#stopping.signal.aborted) this.#events.onFault(error)
  }
}

const claimName = ({ batchId, seq, attempt }: ClaimKey): string => `${batchId}/${seq}/${attempt}`
