import { planLimits, planNames } from '../../contract/plans.ts'

export const DEFAULT_MONTHLY_LIMITS = 'free=50,pro=500,team=5000,enterprise=unlimited'

/** Backgrounds that an account may have removed in a UTC month, by plan. */
export const monthlyLimits = planLimits(planNames, DEFAULT_MONTHLY_LIMITS)
