export interface Journey<Item, Result> {
  /** Runs one item that finds nothing under way. */
  alone(item: Item): Promise<Result>
  /** Runs several in one statement; results are in the order of the items. */
  together(items: readonly Item[]): Promise<readonly Result[]>
  /** Whether a failure of `together` is known to have changed nothing, so that each item may be tried alone. */
  hasChangedNothing(error: unknown): boolean
}

/** A statement that takes longer than this, waiting for a lock or for a server that does not answer, does not delay the others. */
const LONGEST_WAIT_MS = 25

/** So that a group is a small statement however many wait. */
const MOST = 100

/**
 * Lets statements travel together: while one is under way, those that arrive wait, and then go as one. A statement that finds none
 * under way runs at once.
 */
export function travelTogether<Item, Result>(journey: Journey<Item, Result>): (item: Item) => Promise<Result> {
  let waiting: Passenger<Item, Result>[] = []
  let isUnderWay = false

  async function depart(): Promise<void> {
    const passengers = waiting.slice(0, MOST)
    waiting = waiting.slice(MOST)
    isUnderWay = true
    let isLate = false
    const lateness = setTimeout(() => {
      isLate = true
      next()
    }, LONGEST_WAIT_MS)
    await run(journey, passengers)
    clearTimeout(lateness)
    if (!isLate) next()
  }
  function next(): void {
    isUnderWay = false
    if (waiting.length > 0) void depart()
  }
  return (item) => {
    const passenger: Passenger<Item, Result> = { item, ...Promise.withResolvers<Result>() }
    waiting.push(passenger)
    if (!isUnderWay) void depart()
    return passenger.promise
  }
}

interface Passenger<Item, Result> extends PromiseWithResolvers<Result> {
  readonly item: Item
}

/** Settles the promise of each passenger; never rejects. */
async function run<Item, Result>(journey: Journey<Item, Result>, passengers: readonly Passenger<Item, Result>[]): Promise<void> {
  const runAlone = ({ item, resolve, reject }: Passenger<Item, Result>) => journey.alone(item).then(resolve, reject)
  const [first, second] = passengers
  if (first && !second) return runAlone(first)
  try {
    const results = await journey.together(passengers.map(({ item }) => item))
    for (const [nth, { resolve }] of passengers.entries()) resolve(results[nth] as Result)
  } catch (error) {
    // Statements that arrive meanwhile do not wait for these, one of which may wait for a lock.
    if (journey.hasChangedNothing(error)) for (const passenger of passengers) void runAlone(passenger)
    else for (const { reject } of passengers) reject(error)
  }
}
