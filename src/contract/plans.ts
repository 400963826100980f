export interface Plan {
  readonly apiAccess: boolean
  readonly ai: boolean
  /** Successful calls in one UTC calendar month; null is unlimited. */
  readonly callsPerMonth: number | null
  /**
   * Calls in one UTC calendar month of who is signed in, for trying the playground, where the plan has no API and the account
   * never had credits.
   */
  readonly trialCallsPerMonth?: number
}

/** What each plan allows: the specification's plan rules and Limits table. */
export const plans = {
  free: { apiAccess: false, ai: false, callsPerMonth: 0, trialCallsPerMonth: 50 },
  pro: { apiAccess: false, ai: true, callsPerMonth: 0, trialCallsPerMonth: 200 },
  team: { apiAccess: true, ai: true, callsPerMonth: 50_000 },
  enterprise: { apiAccess: true, ai: true, callsPerMonth: null },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

/** Checked where the table is made: it has a row. */
export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]
