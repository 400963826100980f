import type { Batch, BatchRows } from './batch-rows.ts'
import type { Clock, Happening } from './clock.ts'
import type { Draws } from './draws.ts'
import { batchCosts, network, variation } from './measured-costs.ts'
import { openPlaces, type Places } from './places.ts'

/** As in src/batch/worker.ts and record-results.ts. */
const LOOK_SECONDS = 1
const GATHER_SECONDS = 0.2
/** src/contract/limits.ts */
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
  const results = openResultWriter(worker, query, claim)
  let ahead = 0
  let claiming = false

  function claim(): void {
    const most = ahead > renderers + 1 ? 0 : 2 * renderers + 2 - ahead
    if (claiming || most === 0 || rows.open === 0) return
    claiming = true
    query(
      (done) => rows.cores.work(batchCosts.look.seconds, done),
      () => takeSome(most),
    )
  }
  function takeSome(most: number): void {
    const chosen = rows.choose(most)
    const { look, claim: turn, claimedImage, touchedBatch } = batchCosts
    const seconds =
      chosen.size === 0 ? look.seconds : turn.seconds + most * claimedImage.seconds + chosen.size * touchedBatch.seconds
    let got = 0
    const taken = (done: Happening) => () => {
      for (const [batch, wanted] of chosen) {
        const images = rows.take(batch, wanted)
        got += images
        for (let nth = 0; nth < images; nth++) convert(batch)
      }
      done()
    }
    query(
      (done) => rows.transact([...chosen.keys()], seconds, taken(done)),
      () => {
        claiming = false
        // Other workers may have taken all of it: then it selects again.
        if (got > 0 || rows.anyPending) claim()
        else clock.after(LOOK_SECONDS * (0.8 + 0.4 * draws.uniform()), claim)
      },
    )
  }
  function convert(batch: Batch): void {
    ahead++
    results.expect()
    render(worker, () => {
      ahead--
      claim()
      clock.after(network.store.seconds, () => results.write(batch))
    })
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

/** Results of a short period are written together while other images are in flight. */
function openResultWriter({ clock, rows }: Worker, query: Query, onWritten: Happening) {
  const finished: Batch[] = []
  let inFlight = 0
  let writing = false

  function gather(): void {
    writing = true
    clock.after(inFlight > finished.length ? GATHER_SECONDS : 0, writeAll)
  }
  function writeAll(): void {
    const group = finished.splice(0)
    const batches = [...new Set(group)]
    const { finish, finishedImage, touchedBatch } = batchCosts
    const seconds = finish.seconds + group.length * finishedImage.seconds + (batches.length - 1) * touchedBatch.seconds
    query(
      (done) => rows.transact(batches, seconds, done),
      () => {
        for (const batch of group) rows.finish(batch)
        inFlight -= group.length
        writing = false
        if (finished.length > 0) gather()
        onWritten()
      },
    )
  }
  return {
    expect: () => void inFlight++,
    write(batch: Batch): void {
      finished.push(batch)
      if (!writing) gather()
    },
  }
}
