/** The remaining limits of a caller after this request, for the headers of the answer. Unknown limits are absent. */
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
  /** Pay-as-you-go accounts have credits instead of monthly calls. */
  readonly credits?: { readonly bought: number; readonly left: number }
  /** Images for the platform's model. */
  readonly images?: DailyImages
  /** Backgrounds that may be removed. */
  readonly removals?: MonthlyRemovals
}

/** Images that an account may send to the platform's model in a UTC day; null is unlimited. */
export interface DailyImages {
  readonly limit: number | null
  /** Including those of running requests. */
  readonly used: number
  readonly remaining: number | null
  /** The next 00:00 UTC. */
  readonly resetsAt: Date
}

/** Backgrounds that an account may have removed in a UTC month; null is unlimited. */
export interface MonthlyRemovals {
  readonly limit: number | null
  /** Including running ones. */
  readonly used: number
  readonly remaining: number | null
  /** The first of the next month, 00:00 UTC. */
  readonly resetsAt: Date
  readonly lengthSeconds: number
  readonly endsInSeconds: number
}

const more = (remaining: number | null, calls: number): number | null => (remaining === null ? null : remaining + calls)

/** The allowance after reserved calls were refunded. */
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

/** The allowance with another remainder of monthly calls or credits; null is unlimited. */
export const withLeft = (allowance: Allowance, left: number | null): Allowance => {
  const { month, credits } = allowance
  return {
    ...allowance,
    ...(month && { month: { ...month, remaining: month.limit === null ? null : left } }),
    ...(credits && { credits: { ...credits, left: left ?? credits.left } }),
  }
}
