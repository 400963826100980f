import { limits } from '@pixelmill/codecs/contract/limits'
import { type PlanLimits, planNames, plans } from '../contract/plans.ts'
import type { Scope } from '../contract/scopes.ts'
import type { Reader } from './admission-result.ts'

/** Image operations that the dashboard's session of an account may try in a UTC month, by plan. */
export type TrialCalls = PlanLimits

/** What the functions of admission are told: what plans allow, the limits of all callers, and the scopes of which a key needs one. */
export const admissionRules = (trialCalls?: TrialCalls, scopes?: readonly Scope[]): string =>
  JSON.stringify({
    plans: trialCalls
      ? Object.fromEntries(planNames.map((name) => [name, { ...plans[name], trialCallsPerMonth: trialCalls[name] }]))
      : plans,
    windowSeconds: limits.admission.windowSeconds,
    lastUseSeconds: limits.admission.lastUseSeconds,
    ...(scopes && { scopes }),
  })

/** Of which scopes a key needs one; undefined for an account, and where any will do. */
export const scopesOf = (caller: Reader): readonly Scope[] | undefined => ('keyHash' in caller ? caller.scopes : undefined)

/** The rules for a call, written once for each combination of scopes and payment. */
export function rulesByCaller(trialCalls?: TrialCalls): (caller: Reader, payment?: 'trial too' | 'no trial') => string {
  const writtenRules = new Map<string, string>()
  return (caller, payment = 'no trial') => {
    const scopes = scopesOf(caller)
    const name = `${payment} ${scopes?.join() ?? ''}`
    const rules = writtenRules.get(name) ?? admissionRules(payment === 'trial too' ? trialCalls : undefined, scopes)
    writtenRules.set(name, rules)
    return rules
  }
}
