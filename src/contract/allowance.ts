/** What a caller may still do after this request, as the headers of its answer say it. What is not known or not limited is absent. */
export interface Allowance {
  /** Requests in any 60 seconds: those that start work, or those that only read. */
  readonly burst?: {
    readonly policy: 'burst' | 'reading'
    readonly limit: number
    readonly remaining: number
    readonly nextFreeInSeconds: number
  }
  /** Calls in the UTC month; null is unlimited. */
  readonly month?: {
    readonly limit: number | null
    readonly remaining: number | null
    readonly lengthSeconds: number
    readonly endsInSeconds: number
  }
  /** Who pays as they go has credits in place of a month's calls. */
  readonly credits?: { readonly bought: number; readonly left: number }
  /** Images for the platform's model. */
  readonly images?: DailyImages
  /** Backgrounds that may be removed. */
  readonly removals?: MonthlyRemovals
}

/** Images that an account may send to the platform's model in a UTC day; null is unlimited. */
export interface DailyImages {
  readonly limit: number | null
  /** Those of requests under way among them. */
  readonly used: number
  readonly remaining: number | null
  /** The next 00:00 UTC. */
  readonly resetsAt: Date
}

/** Backgrounds that an account may have removed in a UTC month; null is unlimited. */
export interface MonthlyRemovals {
  readonly limit: number | null
  /** Those under way among them. */
  readonly used: number
  readonly remaining: number | null
  /** The first of the next month, 00:00 UTC. */
  readonly resetsAt: Date
  readonly lengthSeconds: number
  readonly endsInSeconds: number
}

const more = (remaining: number | null, calls: number): number | null => (remaining === null ? null : remaining + calls)

/** The same after calls that had been taken were given back. */
export const withGivenBack = (allowance: Allowance, calls: number): Allowance => {
  const { month, credits, removals } = allowance
  return {
    ...allowance,
    ...(month && { month: { ...month, remaining: more(month.remaining, calls) } }),
    ...(credits && { credits: { ...credits, left: credits.left + calls } }),
    ...(removals && {
      removals: { ...removals, used: removals.used - calls, remaining: more(removals.remaining, calls) },
    }),
  }
}

/** The same when so much is left of the month or of the credits; null is unlimited. */
export const withLeft = (allowance: Allowance, left: number | null): Allowance => {
  const { month, credits } = allowance
  return {
    ...allowance,
    ...(month && { month: { ...month, remaining: month.limit === null ? null : left } }),
    ...(credits && { credits: { ...credits, left: left ?? credits.left } }),
  }
}
