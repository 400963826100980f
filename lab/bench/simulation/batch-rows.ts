import type { Clock, Happening } from './clock.ts'
import { openGroupCommit } from './group-commit.ts'
import { database } from './measured-costs.ts'
import { openPlaces, type Places } from './places.ts'
import { openSharedCores, type SharedCores } from './shared-cores.ts'

/** A batch as its row stores it. */
export interface Batch {
  readonly nth: number
  readonly images: number
  /** Locked by a transaction that changes its counters, until that is on disk. */
  readonly row: Places
  pending: number
  underWay: number
  done: number
  turn: number
}

/** The batches in PostgreSQL. */
export interface BatchRows {
  readonly cores: SharedCores
  /** Unfinished batches, including future ones. */
  readonly open: number
  readonly anyPending: boolean
  /** Those that have images; in the service they are counted once a second. */
  workers: number
  /** The time from each batch's arrival to its end, in seconds. */
  readonly seconds: readonly number[]
  /** A transaction on these batches: locks their rows in a fixed order, works, flushes. */
  transact(batches: readonly Batch[], seconds: number, onEnd: Happening): void
  /**
   * Round robin: images go to the batch with the fewest in progress, among equals to the one served longest ago; two to four batches
   * share a claim. With more than `few` held, no more than the worker's share of all that is left.
   */
  choose(most: number, inHand: number, few: number): ReadonlyMap<Batch, number>
  /** How many of these were still left. */
  take(batch: Batch, most: number): number
  finish(batch: Batch): void
}

export function openBatchRows(
  clock: Clock,
  cores: number,
  batches: readonly { readonly images: number; readonly at: number }[],
): BatchRows {
  const processors = openSharedCores(clock, cores)
  const disk = openGroupCommit(clock, database.flush.seconds)
  const active: Batch[] = []
  const seconds = batches.map(() => Number.POSITIVE_INFINITY)
  let turns = 0
  let open = batches.length

  for (const [nth, { images, at }] of batches.entries()) {
    const batch = { nth, images, row: openPlaces(clock, 1), pending: images, underWay: 0, done: 0, turn: 0 }
    clock.after(at, () => active.push(batch))
  }
  return {
    cores: processors,
    seconds,
    workers: 0,
    get open() {
      return open
    },
    get anyPending() {
      return active.some(({ pending }) => pending > 0)
    },
    transact(changes, work, onEnd) {
      const rows = changes.toSorted((one, other) => one.nth - other.nth).map(({ row }) => row)
      const end = () => {
        for (const row of rows) row.leave()
        onEnd()
      }
      const lock = (nth: number): void => {
        const row = rows[nth]
        if (row) row.take(() => lock(nth + 1))
        else processors.work(work, () => disk.commit(end))
      }
      lock(0)
    },
    choose(count, inHand, few) {
      const left = active.reduce((sum, { pending, underWay }) => sum + pending + underWay, 0)
      const most = Math.min(count, Math.max(few, Math.ceil(left / Math.max(1, this.workers))) - inHand)
      const portion = Math.max(Math.ceil(most / 4), Math.min(8, Math.floor(most / 2)))
      const choice = new Map<Batch, number>()
      for (let images = 0; images < most; ) {
        const batch = nextBatch(active, choice)
        if (!batch) break
        const already = choice.get(batch) ?? 0
        const more = Math.min(portion, batch.pending - already, most - images)
        choice.set(batch, already + more)
        images += more
      }
      return choice
    },
    take(batch, most) {
      const images = Math.min(most, batch.pending)
      batch.pending -= images
      batch.underWay += images
      batch.turn = ++turns
      return images
    },
    finish(batch) {
      batch.underWay--
      if (++batch.done < batch.images) return
      seconds[batch.nth] = clock.now - (batches[batch.nth]?.at ?? 0)
      active.splice(active.indexOf(batch), 1)
      open--
    },
  }
}

/** The batch with the fewest images in progress, among equals the one served longest ago. */
function nextBatch(active: readonly Batch[], choice: ReadonlyMap<Batch, number>): Batch | undefined {
  let best: Batch | undefined
  let least = Number.POSITIVE_INFINITY
  for (const batch of active) {
    const already = choice.get(batch) ?? 0
    const order = batch.underWay + already
    if (already >= batch.pending) continue
    if (order > least || (order === least && best && batch.turn >= best.turn)) continue
    best = batch
    least = order
  }
  return best
}
