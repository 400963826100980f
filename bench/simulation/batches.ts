import type { Clock, Happening } from './clock.ts'
import type { Draws } from './draws.ts'
import { openGroupCommit } from './group-commit.ts'
import { batchBooks, database, network, variation } from './measured-costs.ts'
import { openPlaces, type Places } from './places.ts'
import { openSharedCores } from './shared-cores.ts'

/** Batches on paper: workers with renderers, a processor for each, and the batches, each of another account. */
export interface BatchPlan {
  readonly workers: number
  readonly renderers: number
  readonly databaseCores: number
  /** Images of each batch, and when it comes, in seconds. */
  readonly batches: readonly { readonly images: number; readonly at: number }[]
}

export interface BatchOutcome {
  /** From each batch's coming to its end, in seconds. */
  readonly seconds: readonly number[]
  /** Of PostgreSQL's processors, and of renderers, 0 to 1. */
  readonly database: number
  readonly rendering: number
}

interface Batch {
  readonly nth: number
  readonly images: number
  /** Its row: whoever changes its numbers holds it until that is on disk. */
  readonly row: Places
  pending: number
  underWay: number
  done: number
  turn: number
}

/** src/batch/worker.ts, books.ts. */
const LOOK_SECONDS = 1
const GATHER_SECONDS = 0.2
/** Two workers take an hour and a half for a hundred batches. */
const LONGEST_SECONDS = 10_000
/** src/database/database.ts */
const POOL = 8

export function simulateBatches(clock: Clock, draws: Draws, plan: BatchPlan): BatchOutcome {
  const cores = openSharedCores(clock, plan.databaseCores)
  const disk = openGroupCommit(clock, database.flush.seconds)
  const active: Batch[] = []
  const taken = plan.batches.map(() => Number.POSITIVE_INFINITY)
  let turns = 0
  let open = plan.batches.length

  /** A transaction on these batches: their rows in one order, the work, the disk. */
  function transact(touched: readonly Batch[], seconds: number, done: Happening): void {
    const batches = touched.toSorted((one, other) => one.nth - other.nth)
    const lock = (nth: number): void => {
      const next = batches[nth]
      if (next) next.row.take(() => lock(nth + 1))
      else
        cores.work(seconds, () =>
          disk.commit(() => {
            for (const { row } of batches) row.leave()
            done()
          }),
        )
    }
    lock(0)
  }
  /** By turns: each image to the batch with the fewest under way, of these to the one whose turn was longest ago. */
  function choose(most: number): Map<Batch, number> {
    const chosen = new Map<Batch, number>()
    for (let images = 0; images < most; images++) {
      let best: Batch | undefined
      let least = Number.POSITIVE_INFINITY
      for (const batch of active) {
        const already = chosen.get(batch) ?? 0
        const order = batch.underWay + already
        if (already >= batch.pending) continue
        if (order < least || (order === least && best && batch.turn < best.turn)) [best, least] = [batch, order]
      }
      if (!best) break
      chosen.set(best, (chosen.get(best) ?? 0) + 1)
    }
    return chosen
  }

  function startWorker(renderers: Places): void {
    const connections = openPlaces(clock, POOL)
    const finished: Batch[] = []
    let ahead = 0
    let inHand = 0
    let claiming = false
    let writing = false

    const query = (run: (done: Happening) => void, done: Happening) =>
      connections.take(() =>
        clock.after(network.roundTrip.seconds, () =>
          run(() => {
            connections.leave()
            done()
          }),
        ),
      )

    function claim(): void {
      const most = ahead > plan.renderers + 1 ? 0 : 2 * plan.renderers + 2 - ahead
      if (claiming || most === 0 || open === 0) return
      claiming = true
      query(
        (done) => cores.work(batchBooks.look.seconds, done),
        () => {
          const chosen = choose(most)
          const seconds =
            chosen.size === 0 ? batchBooks.look.seconds : batchBooks.claim.seconds + most * batchBooks.claimedImage.seconds
          const touched = chosen.size * batchBooks.touchedBatch.seconds
          let got = 0
          query(
            (done) =>
              transact([...chosen.keys()], seconds + touched, () => {
                for (const [batch, wanted] of chosen) got += take(batch, wanted)
                done()
              }),
            () => {
              claiming = false
              // Others had taken all of it: it chooses again.
              if (got > 0 || active.some(({ pending }) => pending > 0)) claim()
              else clock.after(LOOK_SECONDS * (0.8 + 0.4 * draws.uniform()), claim)
            },
          )
        },
      )
    }
    function take(batch: Batch, wanted: number): number {
      const images = Math.min(wanted, batch.pending)
      batch.pending -= images
      batch.underWay += images
      batch.turn = ++turns
      for (let nth = 0; nth < images; nth++) convert(batch)
      return images
    }
    function convert(batch: Batch): void {
      ahead++
      inHand++
      clock.after(network.store.seconds, () =>
        renderers.take(() =>
          clock.after(draws.spread(batchBooks.image.seconds + batchBooks.imageApi.seconds, variation), () => {
            renderers.leave()
            ahead--
            claim()
            clock.after(network.store.seconds, () => {
              finished.push(batch)
              if (!writing) gather()
            })
          }),
        ),
      )
    }
    function gather(): void {
      writing = true
      clock.after(inHand > finished.length ? GATHER_SECONDS : 0, write)
    }
    function write(): void {
      const group = finished.splice(0)
      const batches = [...new Set(group)]
      const seconds = batchBooks.finish.seconds + group.length * batchBooks.finishedImage.seconds
      query(
        (done) => transact(batches, seconds + (batches.length - 1) * batchBooks.touchedBatch.seconds, done),
        () => {
          for (const batch of group) finish(batch)
          inHand -= group.length
          writing = false
          if (finished.length > 0) gather()
          claim()
        },
      )
    }
    clock.after(LOOK_SECONDS * draws.uniform(), claim)
  }
  function finish(batch: Batch): void {
    batch.underWay--
    if (++batch.done < batch.images) return
    taken[batch.nth] = clock.now - (plan.batches[batch.nth]?.at ?? 0)
    active.splice(active.indexOf(batch), 1)
    open--
  }

  for (const [nth, { images, at }] of plan.batches.entries()) {
    const batch = { nth, images, row: openPlaces(clock, 1), pending: images, underWay: 0, done: 0, turn: 0 }
    clock.after(at, () => active.push(batch))
  }
  const rooms = Array.from({ length: plan.workers }, () => openPlaces(clock, plan.renderers))
  for (const renderers of rooms) startWorker(renderers)
  const end = clock.now + LONGEST_SECONDS
  for (let step = clock.now + 1; open > 0 && step < end; step++) clock.run(step)
  const rendering = rooms.reduce((sum, one) => sum + one.utilisation(), 0) / rooms.length
  return { seconds: taken, database: cores.utilisation(), rendering }
}
