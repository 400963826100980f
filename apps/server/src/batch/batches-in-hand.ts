import type { ClaimedImage } from './batch.ts'
import type { Uploads } from './open-uploads.ts'

/** A batch of which this worker has images in hand. */
export interface BatchInHand {
  readonly id: string
  /** Images that wait for their turn. */
  queue: ClaimedImage[]
  /** Images that are neither stored nor failed. */
  unconverted: number
  /** Those, and results that wait to be written. */
  inHand: number
  /** Images that the batch had left at its latest claim. */
  pending: number
  /** Its latest turn, as a number that only grows; 0 before its first. */
  turn: number
  readonly closeUpload: () => void
}

/** An image whose turn has come, or that is to be released. */
export interface QueuedImage {
  readonly item: ClaimedImage
  readonly batch: BatchInHand
}

/** The batches of a worker's images, and whose turn it is. */
export class BatchesInHand {
  readonly #batches = new Map<string, BatchInHand>()
  readonly #uploads: Pick<Uploads, 'keep'>
  readonly #imagesOfTurn: number
  #current: BatchInHand | undefined
  #beginsOfTurn = 0
  #turns = 0

  /** @param imagesOfTurn how many images of a batch are begun in a row while others wait */
  constructor(uploads: Pick<Uploads, 'keep'>, imagesOfTurn: number) {
    this.#uploads = uploads
    this.#imagesOfTurn = imagesOfTurn
  }

  find(batchId: string): BatchInHand | undefined {
    return this.#batches.get(batchId)
  }

  /** @param pending how many images the batch has left to claim */
  add(item: ClaimedImage, pending: number): void {
    const batch = this.#batches.get(item.batchId) ?? this.#open(item.batchId)
    batch.queue.push(item)
    batch.unconverted++
    batch.inHand++
    batch.pending = pending
  }

  #open(id: string): BatchInHand {
    const closeUpload = this.#uploads.keep(id)
    const batch: BatchInHand = { id, queue: [], unconverted: 0, inHand: 0, pending: 0, turn: 0, closeUpload }
    this.#batches.set(id, batch)
    return batch
  }

  /** Its result is written, or it is released. */
  forgetOne(batch: BatchInHand): void {
    batch.inHand--
    if (batch.inHand > 0) return
    this.#batches.delete(batch.id)
    batch.closeUpload()
  }

  /** How many images wait for their turn. */
  queueLength(): number {
    return this.#batches.values().reduce((sum, { queue }) => sum + queue.length, 0)
  }

  takeNext(): QueuedImage | undefined {
    const batch = this.#nextBatch()
    const item = batch?.queue.shift()
    return batch && item ? { item, batch } : undefined
  }

  /**
   * A batch of which no image was begun is next, so that small ones do not wait. The others take turns of several images, so that
   * results that are written together are of few batches.
   */
  #nextBatch(): BatchInHand | undefined {
    const first = this.#longestWithoutTurn()
    if (first && first.turn > 0 && this.#current && this.#mayGoOn(this.#current)) {
      this.#beginsOfTurn++
      return this.#current
    }
    if (first) {
      this.#turns++
      first.turn = this.#turns
    }
    this.#current = first
    this.#beginsOfTurn = 1
    return first
  }

  #mayGoOn({ queue }: BatchInHand): boolean {
    return queue.length > 0 && this.#beginsOfTurn < this.#imagesOfTurn
  }

  #longestWithoutTurn(): BatchInHand | undefined {
    let first: BatchInHand | undefined
    for (const batch of this.#batches.values())
      if (batch.queue.length > 0 && (first === undefined || batch.turn < first.turn)) first = batch
    return first
  }

  /** Images that wait, which now do not any more. */
  takeQueued(applies: (item: ClaimedImage) => boolean): readonly QueuedImage[] {
    return [...this.#batches.values()].flatMap((batch) => {
      const items = batch.queue.filter(applies)
      batch.queue = batch.queue.filter((item) => !applies(item))
      return items.map((item) => ({ item, batch }))
    })
  }

  /** Nothing is left for any worker, so the results in hand may be the last ones of their batches. */
  nothingPending(): void {
    for (const batch of this.#batches.values()) batch.pending = 0
  }
}
