import { z } from 'zod'
import { type PlanName, plans } from '../../contract/plans.ts'

/** Images in a UTC day, by plan; null is unlimited. */
export type DailyLimits = Readonly<Record<PlanName, number | null>>

export const DEFAULT_DAILY_LIMITS = 'pro=100,team=500,enterprise=unlimited'

const UNLIMITED = 'unlimited'
const COUNT = /^\d{1,9}$/
const ENTRY = /^(?<plan>[a-z]+)[=:](?<limit>\w+)$/
const withAi = Object.entries(plans).flatMap(([name, { ai }]) => (ai ? [name as PlanName] : []))

const limitOf = (text: string): number | null | undefined =>
  text === UNLIMITED ? null : COUNT.test(text) ? Number(text) : undefined

/** `pro=100,team=500,enterprise=unlimited`; a plan that is not named has none. One number or `unlimited` alone is for all plans with AI. */
export const dailyLimits = z.string().transform((text, context): DailyLimits => {
  const read: Partial<Record<PlanName, number | null>> = {}
  const alone = limitOf(text)
  const entries = alone === undefined ? text.split(',') : withAi.map((plan) => `${plan}=${text}`)
  for (const entry of entries) {
    const { plan, limit = '' } = ENTRY.exec(entry.trim())?.groups ?? {}
    const [name, value] = [withAi.find((name) => name === plan), limitOf(limit)]
    if (name === undefined || value === undefined || name in read) {
      context.addIssue(`must be a number, or like ${DEFAULT_DAILY_LIMITS}`)
      return z.NEVER
    }
    read[name] = value
  }
  return { free: 0, pro: 0, team: 0, enterprise: 0, ...read }
})
