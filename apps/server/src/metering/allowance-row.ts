import type { Allowance } from '../contract/allowance.ts'

/** What `admit_call()` and `admit_read()` return about a caller's limits. */
export interface AllowanceRow {
  readonly source: 'month' | 'credit' | null
  readonly month: string | null
  /** Calls a month, or credits bought. */
  readonly call_limit: number | null
  readonly remaining: number | null
  /** Seconds until the month ends. */
  readonly month_left: number | null
  readonly burst_left: number | null
  readonly burst_free_in: number | null
}

export const readAllowance = (row: AllowanceRow, burstLimit: number): Allowance => ({
  ...readBurst(row, 'burst', burstLimit),
  ...callsOf(row),
})

export type BurstRow = Pick<AllowanceRow, 'burst_left' | 'burst_free_in'>

export function readBurst(row: BurstRow, policy: 'burst' | 'reading', limit: number): Allowance {
  const { burst_left: remaining, burst_free_in: nextFreeInSeconds } = row
  if (remaining === null || nextFreeInSeconds === null) return {}
  return { burst: { policy, limit, remaining, nextFreeInSeconds } }
}

function callsOf({ source, month, call_limit: limit, remaining, month_left }: AllowanceRow): Allowance {
  if (source === 'credit') return { credits: { bought: limit ?? 0, left: remaining ?? 0 } }
  if (month === null) return {}
  return { month: { limit, remaining, lengthSeconds: monthSeconds(month), endsInSeconds: month_left ?? 0 } }
}

/** The length of the UTC month that begins on this day. */
function monthSeconds(firstDay: string): number {
  const begin = new Date(`${firstDay}T00:00:00Z`)
  return (Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1) - begin.getTime()) / 1000
}
