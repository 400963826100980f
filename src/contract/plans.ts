export interface Plan {
  readonly apiAccess: boolean
  readonly ai: boolean
  /** Successful calls in one UTC calendar month; null is unlimited. */
  readonly callsPerMonth: number | null
}

/** What each plan allows: the specification's plan rules and Limits table. */
export const plans = {
  free: { apiAccess: false, ai: false, callsPerMonth: 0 },
  pro: { apiAccess: false, ai: true, callsPerMonth: 0 },
  team: { apiAccess: true, ai: true, callsPerMonth: 50_000 },
  enterprise: { apiAccess: true, ai: true, callsPerMonth: null },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

/** Checked where the table is made: it has a row. */
export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]
