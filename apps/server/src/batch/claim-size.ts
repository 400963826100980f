/** How many images a worker claims at a time. */
export interface ClaimSize {
  /** As many as its renderers and the reading before them need. */
  readonly few: number
  /** How many to claim now, if `held` are still to be rendered; some in any case if a new batch is known to have come. */
  most(unrenderedCount: number, isNew: boolean): number
  /** Whether so many would take too long here. */
  isTooMany(unrenderedCount: number): boolean
  onRendered(): void
  /** So many were asked for, beside those in hand, and so many were claimed. */
  onClaimed(requestedCount: number, unrenderedCount: number, claimedCount: number): void
  /** Images were given back. */
  onReleased(): void
}

/**
 * Work in hand: enough that a claim costs little for each image, and no more, so that the images of an account that comes later
 * are claimed within a second. A worker claims again when half of it is left.
 */
const AHEAD_MS = 1_500
/** With more than this in hand, other workers may wait for work that this one has. */
const LONGEST_MS = 20_000
const MOST_CLAIMED = 100
const MOST_HELD = 2 * MOST_CLAIMED

/** Share of the latest image in the mean time between two: one slow image among fast ones changes little. */
const WEIGHT = 1 / 8

export function claimSize(renderers: number, now: () => number = () => performance.now()): ClaimSize {
  const few = 2 * renderers + 2
  /** Mean milliseconds between two rendered images, and when the latest was rendered, or work began. */
  let mean: number | undefined
  let latest = now()
  /** Rendered since work began: what is claimed grows with it, as the images may be slower than those of the last time. */
  let renderedCount = 0
  /** The latest claim got fewer than it asked for. */
  let isShort = true
  let isIdle = true

  function blend(gap: number): number {
    return mean === undefined ? gap : mean + WEIGHT * (gap - mean)
  }
  /** Counts the time since the latest image where that makes it slower: the next one is not faster than that. */
  function estimate(): number | undefined {
    return mean === undefined ? undefined : Math.max(mean, blend(now() - latest))
  }
  function goal(): number {
    const each = estimate()
    if (isShort || each === undefined) return few
    return Math.max(few, Math.min(Math.round(AHEAD_MS / each), MOST_HELD, few + renderedCount))
  }
  return {
    few,
    most(unrenderedCount, isNew) {
      const wantedCount = goal()
      if (isNew) return Math.min(MOST_CLAIMED, Math.max(few, wantedCount - unrenderedCount))
      return unrenderedCount > wantedCount / 2 ? 0 : Math.min(MOST_CLAIMED, wantedCount - unrenderedCount)
    },
    isTooMany: (unrenderedCount) => unrenderedCount * (estimate() ?? 0) > LONGEST_MS,
    onRendered() {
      mean = blend(now() - latest)
      latest = now()
      renderedCount++
    },
    onClaimed(requestedCount, unrenderedCount, claimedCount) {
      isShort = claimedCount < requestedCount
      if (claimedCount > 0 && isIdle && unrenderedCount === 0) {
        latest = now()
        renderedCount = 0
      }
      isIdle = claimedCount === 0
    },
    onReleased() {
      renderedCount = 0
    },
  }
}
