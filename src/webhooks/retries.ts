/**
 * When a delivery is tried again, in seconds after its first attempt: the waits between are 5 s, 30 s, 2 min, 10 min,
 * 30 min, 1, 2, 4, 7 and 8 hours. Told from the first attempt, and not from the last, an attempt by hand or one that ended
 * with its process uses up none of them.
 */
export const RETRY_SECONDS = [5, 35, 155, 755, 2_555, 6_155, 13_355, 27_755, 52_955, 81_755] as const

/** No attempt comes later after the first than this, but by hand. */
const SPAN_SECONDS = 24 * 60 * 60
/** Each comes later by up to a twentieth, so that what failed together does not come back together. The last is then after 23.8 hours. */
const JITTER = 0.05

/** Status codes with which a receiver may say when to come again: RFC 6585 §4, RFC 9110 §15.6.4. */
const WITH_RETRY_AFTER = new Set([429, 503])

/**
 * Seconds until the next attempt; undefined when none is left.
 * @param sinceFirst seconds from the first attempt to now
 * @param askedFor seconds that the receiver asked for
 * @param random 0 to 1
 */
export function secondsToRetry(sinceFirst: number, askedFor = 0, random = Math.random()): number | undefined {
  const next = RETRY_SECONDS.find((seconds) => seconds > sinceFirst)
  if (next === undefined) return undefined
  return Math.min(Math.max(next * (1 + JITTER * random), sinceFirst + askedFor), SPAN_SECONDS) - sinceFirst
}

/** Seconds that a receiver asked for; undefined when it did not, or not in a way that RFC 9110 §10.2.3 knows. */
export function retryAfterSeconds(status: number, header: string | null, now = Date.now()): number | undefined {
  if (!WITH_RETRY_AFTER.has(status) || header === null) return undefined
  const seconds = /^\d{1,9}$/.test(header.trim()) ? Number(header) : (Date.parse(header) - now) / 1000
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
