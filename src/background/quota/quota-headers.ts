import type { MonthlyRemovals } from '../../contract/allowance.ts'

/** For the documentation. */
export const quotaHeaderTexts = {
  'X-Background-Limit': 'Backgrounds that the account may have removed in a UTC month; "unlimited" where there is no limit.',
  'X-Background-Remaining': 'Removals left this month; "unlimited" where there is no limit.',
  'X-Background-Reset':
    'When the count starts anew: 00:00 UTC of the first of the next month, in seconds since 1970 (Unix time).',
} as const

const count = (removals: number | null): string => (removals === null ? 'unlimited' : String(removals))

export const quotaHeaders = ({ limit, remaining, resetsAt }: MonthlyRemovals): Record<string, string> => ({
  'x-background-limit': count(limit),
  'x-background-remaining': count(remaining),
  'x-background-reset': String(resetsAt.getTime() / 1000),
})
