import { type PlanLimits, planLimits, planNames, plans } from '../contract/plans.ts'

/** Image operations that the dashboard's session of an account may try in a UTC month, by plan. */
export type TrialCalls = PlanLimits

export const DEFAULT_TRIAL_CALLS = 'free=50,pro=200'

/** Of the plans without API access; the others call by their plan. */
export const trialCalls = planLimits(
  planNames.filter((name) => !plans[name].apiAccess),
  DEFAULT_TRIAL_CALLS,
).refine((limits) => Object.values(limits).every((limit) => limit !== null), `must be a number, or like ${DEFAULT_TRIAL_CALLS}`)
