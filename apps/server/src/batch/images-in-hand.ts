import { autoResetEvent } from '../concurrency/auto-reset-event.ts'
import type { ClaimedImage } from './batch.ts'
import type { Claim, Wanted } from './claim-images.ts'
import { claimSize } from './claim-size.ts'
import { convertImage, type Handler } from './convert-image.ts'

/** The images that a worker has claimed, and has neither finished nor released. */
export interface ImagesInHand {
  /** Starts to convert as many as fit; the others wait for their turn. */
  add(claims: readonly Claim[]): void
  /** What to claim now; undefined while there is enough, unless a new batch is known to have come. */
  wanted(isNew: boolean): Omit<Wanted, 'lookEveryMs'> | undefined
  /** What was asked for, and what was claimed. */
  onClaimed(wanted: Pick<Wanted, 'most' | 'held'>, claims: readonly Claim[]): void
  /** Resolves when an image was rendered or finished, and after a second. */
  change(): Promise<void>
  wake(): void
  items(): readonly ClaimedImage[]
  /** Whether this worker may soon have another result of the batch. */
  expects(batchId: string): boolean
  /** Starts no further images, and releases those that wait. */
  close(): void
  /** Stops the work on the images for which `applies` is true, and releases them if the claim still is the worker's. */
  abort(applies: (item: ClaimedImage) => boolean): void
  /** Resolves when nothing is in hand, or after that time. */
  empty(ms: number): Promise<void>
}

interface BatchInHand {
  waiting: ClaimedImage[]
  /** Neither stored nor failed; and those, and results that wait to be written. */
  unconverted: number
  inHand: number
  /** Images that the batch had left at its latest claim. */
  pending: number
  /** Its latest turn, as a number that only grows. */
  turn: number
  readonly closeUpload: () => void
}

const CHANGE_MS = 1_000

export function imagesInHand(handler: Handler, renderers: number, onEmpty: () => void): ImagesInHand {
  const inHand = new Map<ClaimedImage, AbortController>()
  const batches = new Map<string, BatchInHand>()
  const change = autoResetEvent()
  const size = claimSize(renderers)
  let isClosed = false
  /** Whose turn it is, and how many of its images were started in it. */
  let current: BatchInHand | undefined
  let inRow = 0
  let turns = 0
  /** Images being read, in a renderer or before it; those, and images being stored. */
  let [started, converting] = [0, 0]

  const waiting = () => batches.values().reduce((sum, batch) => sum + batch.waiting.length, 0)
  const unrendered = () => started + waiting()

  /**
   * A batch of which no image was started is next, so that small ones do not wait. The others take turns of several images, so that
   * results that are written together are of few batches.
   */
  function next(): BatchInHand | undefined {
    let first: BatchInHand | undefined
    for (const batch of batches.values()) if (batch.waiting.length > 0 && !(first && first.turn <= batch.turn)) first = batch
    if (first && first.turn > 0 && current && current.waiting.length > 0 && inRow < size.few) {
      inRow++
      return current
    }
    if (first) first.turn = ++turns
    current = first
    inRow = 1
    return first
  }
  function startSome(): void {
    if (isClosed || handler.pause.isOn()) {
      releaseWaiting()
      return
    }
    // So many that a free renderer finds an image that is read already, and no more than can be stored as fast.
    while (started < size.few && converting < 2 * size.few) {
      const batch = next()
      const item = batch?.waiting.shift()
      if (!batch || !item) return
      void convert(item, batch)
    }
  }
  async function convert(item: ClaimedImage, batch: BatchInHand): Promise<void> {
    const abort = inHand.get(item) ?? new AbortController()
    started++
    converting++
    const onRendered = () => {
      started--
      size.onRendered()
      startSome()
      change.set()
    }
    const onConverted = () => {
      converting--
      batch.unconverted--
      startSome()
    }
    try {
      await convertImage(handler, item, abort.signal, { onRendered, onConverted })
    } catch (error) {
      // The database received neither a result nor a release: the lease will expire.
      handler.onFault(error)
    }
    forget(item, batch)
  }
  function forget(item: ClaimedImage, batch: BatchInHand): void {
    inHand.delete(item)
    if (--batch.inHand === 0) {
      batches.delete(item.batchId)
      batch.closeUpload()
    }
    change.set()
    if (inHand.size === 0) onEmpty()
  }
  function release(item: ClaimedImage, batch: BatchInHand): void {
    batch.unconverted--
    handler.recorder
      .release(item)
      .catch(handler.onFault)
      .finally(() => forget(item, batch))
  }
  function releaseWaiting(applies: (item: ClaimedImage) => boolean = () => true): void {
    for (const batch of batches.values()) {
      const released = batch.waiting.filter(applies)
      batch.waiting = batch.waiting.filter((item) => !applies(item))
      for (const item of released) release(item, batch)
      if (released.length > 0) size.onReleased()
    }
  }

  return {
    add(claims) {
      for (const { images, pending } of claims) {
        for (const item of images) {
          const { batchId } = item
          const batch = batches.get(batchId) ?? {
            ...{ waiting: [], unconverted: 0, inHand: 0, turn: 0 },
            ...{ pending, closeUpload: handler.uploads.keep(batchId) },
          }
          batches.set(batchId, batch)
          batch.waiting.push(item)
          batch.unconverted++
          batch.inHand++
          batch.pending = pending
          inHand.set(item, new AbortController())
        }
      }
      startSome()
    },
    wanted(isNew) {
      // Those that were lost with a worker are converted apart, so that no other is suspected if this worker dies.
      if (inHand.keys().some(({ losses }) => losses > 0)) return undefined
      if (size.isTooMany(unrendered())) releaseWaiting()
      const held = unrendered()
      const most = size.most(held, isNew)
      return most > 0 ? { most, held, few: size.few } : undefined
    },
    onClaimed({ most, held }, claims) {
      const got = claims.reduce((sum, { images }) => sum + images.length, 0)
      size.onClaimed(most, held, got)
      // Nothing is left for any worker, so the results in hand may be the last ones of their batches.
      if (got > 0) return
      for (const batch of batches.values()) batch.pending = 0
      handler.recorder.hurry()
    },
    change: () => change.wait(CHANGE_MS),
    wake: change.set,
    items: () => [...inHand.keys()],
    expects(batchId) {
      const batch = batches.get(batchId)
      if (!batch) return false
      return batch.unconverted > 0 || (batch.pending > 0 && converting + waiting() > 0)
    },
    close() {
      isClosed = true
      releaseWaiting()
      change.set()
    },
    abort(applies) {
      releaseWaiting(applies)
      for (const [item, abort] of inHand) if (applies(item)) abort.abort()
      handler.recorder.hurry()
    },
    async empty(ms) {
      for (const end = performance.now() + ms; inHand.size > 0 && performance.now() < end; )
        await change.wait(end - performance.now())
    },
  }
}
