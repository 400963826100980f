/** Something that can be left out, and what it is expected to take. */
export interface Piece<Result> {
  readonly seconds: number
  work(): Promise<Result>
}

/**
 * Does one after the other what there is time for: the first in any case, then what is expected to end in time, on a machine
 * as fast or slow as the pieces before have shown. What was left out is undefined.
 * @param clock seconds that have passed, on the clock by which `most` is meant
 */
export async function withinTime<Result>(
  pieces: readonly Piece<Result>[],
  most: number,
  clock: () => number,
): Promise<readonly (Result | undefined)[]> {
  const results: (Result | undefined)[] = []
  let [expected, taken] = [0, 0]
  for (const { seconds, work } of pieces) {
    const began = clock()
    const pace = expected > 0 ? taken / expected : 1
    if (results.length > 0 && began + seconds * pace > most) {
      results.push(undefined)
      continue
    }
    results.push(await work())
    expected += seconds
    taken += clock() - began
  }
  return results
}
