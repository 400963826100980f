import { limits } from '@pixelmill/codecs/contract/limits'
import { type PlanLimits, planNames, plans } from '../contract/plans.ts'

/** Image operations that the dashboard's session of an account may try in a UTC month, by plan. */
export type TrialCalls = PlanLimits

/** What the functions of admission are told: what plans allow, and the limits of all callers. */
export const admissionRules = (trialCalls?: TrialCalls): string =>
  JSON.stringify({
    plans: trialCalls
      ? Object.fromEntries(planNames.map((name) => [name, { ...plans[name], trialCallsPerMonth: trialCalls[name] }]))
      : plans,
    windowSeconds: limits.admission.windowSeconds,
    lastUseSeconds: limits.admission.lastUseSeconds,
  })
