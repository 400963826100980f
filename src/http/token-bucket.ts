/** Does what it is given: at once while little comes, else in turn. */
export type InTurn = (act: () => void) => void

/** What may come at once, as a part of what may come in a second. */
const BURST = 0.25
const LOOK_MS = 20

/**
 * @param perSecond how many are done in a second, unless more come than `most` or `longestMs` let wait
 * @param longestMs after which it is done all the same
 * @param most beyond which the oldest is done all the same
 */
export function tokenBucket(perSecond: number, longestMs: number, most: number): InTurn {
  const waiting: { readonly act: () => void; readonly until: number }[] = []
  let turns = perSecond * BURST
  let countedAt = performance.now()
  let looking: NodeJS.Timeout | undefined

  function count(now: number): void {
    turns = Math.min(perSecond * BURST, turns + (perSecond * (now - countedAt)) / 1_000)
    countedAt = now
  }
  function look(): void {
    const now = performance.now()
    count(now)
    for (let first = waiting[0]; first && (turns >= 1 || waiting.length > most || now >= first.until); first = waiting[0]) {
      waiting.shift()
      turns = Math.max(0, turns - 1)
      first.act()
    }
    if (waiting.length > 0) return
    clearInterval(looking)
    looking = undefined
  }
  return (act) => {
    waiting.push({ act, until: performance.now() + longestMs })
    if (waiting.length === 1 || waiting.length > most) look()
    if (waiting.length > 0) looking ??= setInterval(look, LOOK_MS)
  }
}
