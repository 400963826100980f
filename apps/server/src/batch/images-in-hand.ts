import { autoResetEvent } from '../concurrency/auto-reset-event.ts'
import type { ClaimedImage } from './batch.ts'
import { BatchesInHand, type BatchInHand, type QueuedImage } from './batches-in-hand.ts'
import type { Claim, ClaimRequest } from './claim-images.ts'
import { claimSize } from './claim-size.ts'
import { convertImage, type Handler } from './convert-image.ts'

const CHANGE_MS = 1_000

/** Stored images are not rendered faster than they can be stored: so many times as many as are rendered may be under way. */
const CONVERSIONS_PER_RENDERING = 2

/** The images that a worker has claimed, and has neither finished nor released. */
export class ImagesInHand {
  readonly #handler: Handler
  readonly #onEmpty: () => void
  readonly #size: ReturnType<typeof claimSize>
  readonly #batches: BatchesInHand
  readonly #aborts = new Map<ClaimedImage, AbortController>()
  readonly #change = autoResetEvent()
  /** Images being read, in a renderer or before it. */
  #renderings = 0
  /** Those, and images being stored. */
  #conversions = 0
  #isClosed = false

  constructor(handler: Handler, renderers: number, onEmpty: () => void) {
    this.#handler = handler
    this.#onEmpty = onEmpty
    this.#size = claimSize(renderers)
    this.#batches = new BatchesInHand(handler.uploads, this.#size.few)
  }

  /** Begins to convert as many as fit; the others wait for their turn. */
  add(claims: readonly Claim[]): void {
    for (const { images, pending } of claims) {
      for (const item of images) {
        this.#batches.add(item, pending)
        this.#aborts.set(item, new AbortController())
      }
    }
    this.#beginSome()
  }

  /** What to claim now; undefined while there is enough, unless a new batch is known to have come. */
  request(isNew: boolean): Omit<ClaimRequest, 'lookEveryMs'> | undefined {
    // Those that were lost with a worker are converted apart, so that no other is suspected if this worker dies.
    if (this.#aborts.keys().some(({ losses }) => losses > 0)) return undefined
    if (this.#size.isTooMany(this.#countUnrendered())) this.#releaseQueued()
    const countUnrendered = this.#countUnrendered()
    const most = this.#size.most(countUnrendered, isNew)
    return most > 0 ? { most, unrendered: countUnrendered, few: this.#size.few } : undefined
  }

  onClaimed({ most, unrendered }: Pick<ClaimRequest, 'most' | 'unrendered'>, claims: readonly Claim[]): void {
    const count = claims.reduce((sum, { images }) => sum + images.length, 0)
    this.#size.onClaimed(most, unrendered, count)
    if (count > 0) return
    this.#batches.nothingPending()
    this.#handler.recorder.hurry()
  }

  /** Resolves when an image was rendered or finished, and after a second. */
  change(): Promise<void> {
    return this.#change.wait(CHANGE_MS)
  }

  wake(): void {
    this.#change.set()
  }

  items(): readonly ClaimedImage[] {
    return [...this.#aborts.keys()]
  }

  /** Whether this worker may soon have another result of the batch. */
  expects(batchId: string): boolean {
    const batch = this.#batches.find(batchId)
    if (!batch) return false
    return batch.unconverted > 0 || (batch.pending > 0 && this.#conversions + this.#batches.queueLength() > 0)
  }

  /** Begins no further images, and releases those that wait. */
  close(): void {
    this.#isClosed = true
    this.#releaseQueued()
    this.wake()
  }

  /** Stops the work on the images for which `applies` is true, and releases them if the claim still is the worker's. */
  abort(applies: (item: ClaimedImage) => boolean): void {
    this.#releaseQueued(applies)
    for (const [item, abort] of this.#aborts) if (applies(item)) abort.abort()
    this.#handler.recorder.hurry()
  }

  /** Resolves when nothing is in hand, or after that time. */
  async empty(ms: number): Promise<void> {
    const end = performance.now() + ms
    while (this.#aborts.size > 0 && performance.now() < end) await this.#change.wait(end - performance.now())
  }

  #countUnrendered(): number {
    return this.#renderings + this.#batches.queueLength()
  }

  #beginSome(): void {
    if (this.#isClosed || this.#handler.pause.isOn()) {
      this.#releaseQueued()
      return
    }
    while (this.#hasRoom()) {
      const next = this.#batches.takeNext()
      if (!next) return
      void this.#convert(next)
    }
  }

  /** So many that a free renderer finds an image that is read already, and no more than can be stored as fast. */
  #hasRoom(): boolean {
    const { few } = this.#size
    return this.#renderings < few && this.#conversions < CONVERSIONS_PER_RENDERING * few
  }

  async #convert({ item, batch }: QueuedImage): Promise<void> {
    const { signal } = this.#aborts.get(item) ?? new AbortController()
    this.#renderings++
    this.#conversions++
    const onRendered = () => {
      this.#renderings--
      this.#size.onRendered()
      this.#beginSome()
      this.wake()
    }
    const onConverted = () => {
      this.#conversions--
      batch.unconverted--
      this.#beginSome()
    }
    try {
      await convertImage(this.#handler, item, signal, { onRendered, onConverted })
    } catch (error) {
      // The database received neither a result nor a release: the lease will expire.
      this.#handler.onFault(error)
    }
    this.#forget(item, batch)
  }

  #releaseQueued(applies: (item: ClaimedImage) => boolean = () => true): void {
    const queuedImages = this.#batches.takeQueued(applies)
    for (const { item, batch } of queuedImages) this.#release(item, batch)
    if (queuedImages.length > 0) this.#size.onReleased()
  }

  #release(item: ClaimedImage, batch: BatchInHand): void {
    batch.unconverted--
    this.#handler.recorder
      .release(item)
      .catch(this.#handler.onFault)
      .finally(() => this.#forget(item, batch))
  }

  #forget(item: ClaimedImage, batch: BatchInHand): void {
    this.#aborts.delete(item)
    this.#batches.forgetOne(batch)
    this.wake()
    if (this.#aborts.size === 0) this.#onEmpty()
  }
}
