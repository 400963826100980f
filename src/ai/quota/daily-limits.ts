import { type PlanLimits, planLimits, planNames, plans } from '../../contract/plans.ts'

/** Images in a UTC day, by plan; null is unlimited. */
export type DailyLimits = PlanLimits

export const DEFAULT_DAILY_LIMITS = 'pro=100,team=500,enterprise=unlimited'

/** Of the plans with AI; the others have none. */
export const dailyLimits = planLimits(
  planNames.filter((name) => plans[name].ai),
  DEFAULT_DAILY_LIMITS,
)
