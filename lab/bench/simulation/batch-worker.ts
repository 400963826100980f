import { claimSize } from 'pixelmill-server/batch/claim-size'
import type { Batch, BatchRows } from './batch-rows.ts'
import type { Clock, Happening } from './clock.ts'
import type { Draws } from './draws.ts'
import { openHand } from './hand.ts'
import { batchCosts, network, variation } from './measured-costs.ts'
import { openPlaces, type Places } from './places.ts'

/** The times are those of apps/server/src/batch/worker.ts and record-results.ts. */
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
        (onEnd) => rows.cores.work(batchCosts.look.seconds, onEnd),
        () => takeSome(most),
      )
    }
  }
  function takeSome(most: number): void {
    const inHand = hand.unrendered()
    const choice = rows.choose(most, inHand, size.few)
    const { look, claim: turn, claimedImage, touchedBatch } = batchCosts
    const imageCount = choice.values().reduce((sum, images) => sum + images, 0)
    const seconds =
      imageCount === 0
        ? look.seconds
        : turn.seconds + imageCount * claimedImage.seconds + (choice.size - 1) * touchedBatch.seconds
    let got = 0
    const takeThen = (onEnd: Happening) => () => {
      for (const [batch, images] of choice) {
        const own = rows.take(batch, images)
        got += own
        hand.add(batch, own)
      }
      if (got > 0 && !isCounted) {
        rows.workers++
        isCounted = true
      }
      onEnd()
    }
    query(
      (onEnd) => rows.transact([...choice.keys()], seconds, takeThen(onEnd)),
      () => {
        claiming = false
        size.onClaimed(most, inHand, got)
        hand.startSome()
        // Other workers may have taken all of it: then it selects again.
        if (got > 0 || (inHand === 0 && rows.anyPending)) claim()
        else clock.after(LOOK_SECONDS * (0.8 + 0.4 * draws.uniform()), claim)
      },
    )
  }
  clock.after(LOOK_SECONDS * draws.uniform(), claim)
}

/** Reads from the bucket, and renders. */
function render({ clock, draws, places }: Worker, onEnd: Happening): void {
  const { image, imageApi } = batchCosts
  clock.after(network.store.seconds, () =>
    places.take(() =>
      clock.after(draws.spread(image.seconds + imageApi.seconds, variation), () => {
        places.leave()
        onEnd()
      }),
    ),
  )
}

type Query = (run: (onEnd: Happening) => void, onEnd: Happening) => void

function openQueries(clock: Clock): Query {
  const connections = openPlaces(clock, CONNECTIONS)
  return (run, onEnd) =>
    connections.take(() =>
      clock.after(network.roundTrip.seconds, () =>
        run(() => {
          connections.leave()
          onEnd()
        }),
      ),
    )
}

/** Results are written together after a second, or at once if their batch may end with them. */
function openResultWriter({ clock, rows }: Worker, query: Query, expects: (batch: Batch) => boolean, onWritten: Happening) {
  const finishedBatches: Batch[] = []
  let writing = false
  let group = 0

  const mayWait = () => finishedBatches.length < GROUP && finishedBatches.every(expects)
  function gather(): void {
    const own = ++group
    if (mayWait()) clock.after(GATHER_SECONDS, () => own === group && !writing && writeAll())
    else writeAll()
  }
  function writeAll(): void {
    const endedBatches = finishedBatches.splice(0)
    const batches = [...new Set(endedBatches)]
    const { finish, finishedImage, touchedBatch } = batchCosts
    const seconds = finish.seconds + endedBatches.length * finishedImage.seconds + (batches.length - 1) * touchedBatch.seconds
    writing = true
    query(
      (onEnd) => rows.transact(batches, seconds, onEnd),
      () => {
        for (const batch of endedBatches) rows.finish(batch)
        writing = false
        if (finishedBatches.length > 0) gather()
        onWritten()
      },
    )
  }
  return {
    write(batch: Batch): void {
      finishedBatches.push(batch)
      if (writing) return
      if (finishedBatches.length === 1) gather()
      else if (!mayWait()) writeAll()
    },
  }
}
