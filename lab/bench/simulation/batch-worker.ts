import { claimSize } from 'pixelmill-server/batch/claim-size'
import type { Batch, BatchRows } from './batch-rows.ts'
import type { Clock, Happening } from './clock.ts'
import type { Draws } from './draws.ts'
import { openHand } from './hand.ts'
import { batchCosts, network, variation } from './measured-costs.ts'
import { openPlaces, type Places } from './places.ts'

/** As in apps/server/src/batch/worker.ts and record-results.ts. */
const LOOK_SECONDS = 1
const GATHER_SECONDS = 1
const GROUP = 200
/** packages/codecs/src/contract/limits.ts */
const CONNECTIONS = 8

interface Worker {
  readonly clock: Clock
  readonly draws: Draws
  readonly rows: BatchRows
  /** Slots of its renderers, each with a processor. */
  readonly places: Places
  readonly renderers: number
}

/** A worker as in src/batch/: claims ahead of its renderers, converts, and writes results in groups. */
export function startBatchWorker(worker: Worker): void {
  const { clock, draws, rows, renderers } = worker
  const query = openQueries(clock)
  const size = claimSize(renderers, () => 1000 * clock.now)
  const hand = openHand(size.few, (batch) =>
    render(worker, () => {
      hand.onRendered()
      size.onRendered()
      claim()
      clock.after(network.store.seconds, () => onStored(batch))
    }),
  )
  const results = openResultWriter(worker, query, hand.expects, claim)
  let claiming = false
  let isCounted = false
  let lookedAt = Number.NEGATIVE_INFINITY

  function onStored(batch: Batch): void {
    hand.onConverted(batch)
    if (hand.isEmpty()) {
      rows.workers--
      isCounted = false
    }
    results.write(batch)
  }
  function claim(): void {
    const most = size.most(hand.unrendered(), false)
    if (claiming || most === 0 || rows.open === 0) return
    claiming = true
    if (clock.now - lookedAt < LOOK_SECONDS) takeSome(most)
    else {
      lookedAt = clock.now
      query(
        (done) => rows.cores.work(batchCosts.look.seconds, done),
        () => takeSome(most),
      )
    }
  }
  function takeSome(most: number): void {
    const held = hand.unrendered()
    const chosen = rows.choose(most, held, size.few)
    const { look, claim: turn, claimedImage, touchedBatch } = batchCosts
    const wanted = chosen.values().reduce((sum, images) => sum + images, 0)
    const seconds =
      wanted === 0 ? look.seconds : turn.seconds + wanted * claimedImage.seconds + (chosen.size - 1) * touchedBatch.seconds
    let got = 0
    const taken = (done: Happening) => () => {
      for (const [batch, images] of chosen) {
        const own = rows.take(batch, images)
        got += own
        hand.add(batch, own)
      }
      if (got > 0 && !isCounted) {
        rows.workers++
        isCounted = true
      }
      done()
    }
    query(
      (done) => rows.transact([...chosen.keys()], seconds, taken(done)),
      () => {
        claiming = false
        size.onClaimed(most, held, got)
        hand.startSome()
        // Other workers may have taken all of it: then it selects again.
        if (got > 0 || (held === 0 && rows.anyPending)) claim()
        else clock.after(LOOK_SECONDS * (0.8 + 0.4 * draws.uniform()), claim)
      },
    )
  }
  clock.after(LOOK_SECONDS * draws.uniform(), claim)
}

/** Reads from the bucket, and renders. */
function render({ clock, draws, places }: Worker, done: Happening): void {
  const { image, imageApi } = batchCosts
  clock.after(network.store.seconds, () =>
    places.take(() =>
      clock.after(draws.spread(image.seconds + imageApi.seconds, variation), () => {
        places.leave()
        done()
      }),
    ),
  )
}

type Query = (run: (done: Happening) => void, done: Happening) => void

function openQueries(clock: Clock): Query {
  const connections = openPlaces(clock, CONNECTIONS)
  return (run, done) =>
    connections.take(() =>
      clock.after(network.roundTrip.seconds, () =>
        run(() => {
          connections.leave()
          done()
        }),
      ),
    )
}

/** Results are written together after a second, or at once if their batch may end with them. */
function openResultWriter({ clock, rows }: Worker, query: Query, expects: (batch: Batch) => boolean, onWritten: Happening) {
  const finished: Batch[] = []
  let writing = false
  let group = 0

  const mayWait = () => finished.length < GROUP && finished.every(expects)
  function gather(): void {
    const own = ++group
    if (mayWait()) clock.after(GATHER_SECONDS, () => own === group && !writing && writeAll())
    else writeAll()
  }
  function writeAll(): void {
    const written = finished.splice(0)
    const batches = [...new Set(written)]
    const { finish, finishedImage, touchedBatch } = batchCosts
    const seconds = finish.seconds + written.length * finishedImage.seconds + (batches.length - 1) * touchedBatch.seconds
    writing = true
    query(
      (done) => rows.transact(batches, seconds, done),
      () => {
        for (const batch of written) rows.finish(batch)
        writing = false
        if (finished.length > 0) gather()
        onWritten()
      },
    )
  }
  return {
    write(batch: Batch): void {
      finished.push(batch)
      if (writing) return
      if (finished.length === 1) gather()
      else if (!mayWait()) writeAll()
    },
  }
}
