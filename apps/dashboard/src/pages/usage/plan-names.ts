import type { UsageAnswer } from './usage-answer.ts'

/** "Team" */
export const shownPlan = (plan: UsageAnswer['plan']): string => plan.charAt(0).toUpperCase() + plan.slice(1)
