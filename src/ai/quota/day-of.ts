import type { DailyImages } from '../../contract/allowance.ts'

/** An account's day, of what is used of it. After a change of plan that may be more than there is. */
export const dayOf = (limit: number | null, used: number, resetsAt: Date): DailyImages => ({
  limit,
  used,
  remaining: limit === null ? null : Math.max(0, limit - used),
  resetsAt,
})
