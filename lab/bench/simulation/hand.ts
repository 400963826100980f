import type { Batch } from './batch-rows.ts'

/** What a worker has claimed of a batch. */
interface Share {
  waiting: number
  unconverted: number
  /** Its latest turn, as a number that only grows. */
  turn: number
}

/** The images in a worker's hands, as in apps/server/src/batch/images-in-hand.ts: small batches first, and turns of several images. */
export function openHand(few: number, start: (batch: Batch) => void) {
  const shares = new Map<Batch, Share>()
  let startCount = 0
  let unconvertedCount = 0
  let waiting = 0
  let turns = 0
  let inRow = 0
  let current: Batch | undefined

  function next(): Batch | undefined {
    let first: Batch | undefined
    let least = Number.POSITIVE_INFINITY
    for (const [batch, { waiting, turn }] of shares) {
      if (waiting === 0 || turn >= least) continue
      first = batch
      least = turn
    }
    if (first && least > 0 && current && (shares.get(current)?.waiting ?? 0) > 0 && inRow < few) {
      inRow++
      return current
    }
    const share = first && shares.get(first)
    if (share) share.turn = ++turns
    current = first
    inRow = 1
    return first
  }
  function startSome(): void {
    while (startCount < few) {
      const batch = next()
      const share = batch && shares.get(batch)
      if (!share) return
      share.waiting--
      waiting--
      startCount++
      start(batch)
    }
  }
  return {
    add(batch: Batch, images: number): void {
      const share = shares.get(batch) ?? { waiting: 0, unconverted: 0, turn: 0 }
      shares.set(batch, share)
      share.waiting += images
      share.unconverted += images
      waiting += images
      unconvertedCount += images
    },
    startSome,
    onRendered(): void {
      startCount--
      startSome()
    },
    isEmpty: () => unconvertedCount === 0,
    unrendered: () => startCount + waiting,
    /** Whether another result of the batch may follow soon. */
    expects(batch: Batch): boolean {
      const share = shares.get(batch)
      return share !== undefined && (share.unconverted > 0 || (batch.pending > 0 && unconvertedCount > 0))
    },
    onConverted(batch: Batch): void {
      const share = shares.get(batch)
      if (!share) return
      unconvertedCount--
      if (--share.unconverted === 0) shares.delete(batch)
    },
  }
}
