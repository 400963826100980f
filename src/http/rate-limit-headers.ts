import { quotaHeaders, quotaHeaderTexts } from '../ai/quota/quota-headers.ts'
import { quotaHeaders as removalHeaders, quotaHeaderTexts as removalHeaderTexts } from '../background/quota/quota-headers.ts'
import type { Allowance } from '../contract/allowance.ts'

const draftTexts = {
  'RateLimit-Policy':
    'The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000.',
  RateLimit: 'What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800.',
} as const

/** The headers of calls that are metered, for the documentation. */
export const rateLimitHeaderTexts = {
  'X-RateLimit-Limit': 'Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go.',
  'X-RateLimit-Remaining': 'Remaining API calls this month; credits left when paying as you go.',
  'X-Credits-Remaining': 'Credits left, when paying as you go.',
  ...draftTexts,
} as const

/** The headers of requests that only read: their limit is a policy of its own, "reading". */
export const readingHeaderTexts = draftTexts

/** The headers of AI requests. */
export const aiHeaderTexts = { ...quotaHeaderTexts, ...draftTexts } as const

/** The headers of background removals. */
export const backgroundHeaderTexts = {
  ...rateLimitHeaderTexts,
  'X-RateLimit-Limit': `${rateLimitHeaderTexts['X-RateLimit-Limit'].replace(/\.$/, '')}; with a sign-in the same as X-Background-Limit.`,
  'X-RateLimit-Remaining': `${rateLimitHeaderTexts['X-RateLimit-Remaining'].replace(/\.$/, '')}; with a sign-in the same as X-Background-Remaining.`,
  ...removalHeaderTexts,
} as const

const BURST_SECONDS = 60

const count = (calls: number | null): string => (calls === null ? 'unlimited' : String(calls))

const monthly = (name: string, { limit, remaining, lengthSeconds, endsInSeconds }: NonNullable<Allowance['month']>) =>
  limit === null ? [] : [{ name, q: limit, w: lengthSeconds, r: remaining ?? 0, t: endsInSeconds }]

/** The limits as draft-ietf-httpapi-ratelimit-headers-10 §3 writes them: a list of quoted names with parameters. */
function policies({ burst, month, removals }: Allowance): Record<string, string> {
  const rows = [
    ...(burst ? [{ name: burst.policy, q: burst.limit, w: BURST_SECONDS, r: burst.remaining, t: burst.nextFreeInSeconds }] : []),
    ...(month ? monthly('month', month) : []),
    ...(removals ? monthly('background', removals) : []),
  ]
  if (rows.length === 0) return {}
  return {
    'ratelimit-policy': rows.map(({ name, q, w }) => `"${name}";q=${q};w=${w}`).join(', '),
    ratelimit: rows.map(({ name, r, t }) => `"${name}";r=${r};t=${t}`).join(', '),
  }
}

/** What a caller may still do, on every answer where it is known. */
export function rateLimitHeaders(allowance: Allowance): Record<string, string> {
  const { credits, images, removals } = allowance
  // Where no calls are counted, removals are all there is.
  const month = allowance.month ?? (credits ? undefined : removals)
  return {
    ...(month && { 'x-ratelimit-limit': count(month.limit), 'x-ratelimit-remaining': count(month.remaining) }),
    ...(credits && {
      'x-ratelimit-limit': String(credits.bought),
      'x-ratelimit-remaining': String(credits.left),
      'x-credits-remaining': String(credits.left),
    }),
    ...(images && quotaHeaders(images)),
    ...(removals && removalHeaders(removals)),
    ...policies(allowance),
  }
}
