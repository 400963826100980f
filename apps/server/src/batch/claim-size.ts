/** How many images a worker claims at a time. */
export interface ClaimSize {
  /** As many as its renderers and the reading before them need. */
  readonly few: number
  /** How many to claim now, if `held` are still to be rendered; some in any case if a new batch is known to have come. */
  most(held: number, isNew: boolean): number
  /** Whether so many would take too long here. */
  isTooMany(held: number): boolean
  onRendered(): void
  /** So many were asked for, beside those in hand, and so many were claimed. */
  onClaimed(asked: number, held: number, claimed: number): void
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
  let rendered = 0
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
    return Math.max(few, Math.min(Math.round(AHEAD_MS / each), MOST_HELD, few + rendered))
  }
  return {
    few,
    most(held, isNew) {
      const wanted = goal()
      if (isNew) return Math.min(MOST_CLAIMED, Math.max(few, wanted - held))
      return held > wanted / 2 ? 0 : Math.min(MOST_CLAIMED, wanted - held)
    },
    isTooMany: (held) => held * (estimate() ?? 0) > LONGEST_MS,
    onRendered() {
      mean = blend(now() - latest)
      latest = now()
      rendered++
    },
    onClaimed(asked, held, claimed) {
      isShort = claimed < asked
      if (claimed > 0 && isIdle && held === 0) {
        latest = now()
        rendered = 0
      }
      isIdle = claimed === 0
    },
    onReleased() {
      rendered = 0
    },
  }
}
