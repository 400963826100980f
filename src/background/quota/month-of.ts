import type { MonthlyRemovals } from '../../contract/allowance.ts'

/** An account's month, of what is used of it. After a change of plan or settings that may be more than there is. */
export const monthOf = (limit: number | null, used: number, resetsAt: Date, endsInSeconds: number): MonthlyRemovals => ({
  limit,
  used,
  remaining: limit === null ? null : Math.max(0, limit - used),
  resetsAt,
  lengthSeconds: (resetsAt.getTime() - Date.UTC(resetsAt.getUTCFullYear(), resetsAt.getUTCMonth() - 1)) / 1000,
  endsInSeconds,
})
