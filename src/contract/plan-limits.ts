import { z } from 'zod'
import { type PlanName, planNames } from './plans.ts'

/** How much an account of each plan may have; null is unlimited. */
export type PlanLimits = Readonly<Record<PlanName, number | null>>

const UNLIMITED = 'unlimited'
const COUNT = /^\d{1,9}$/
const ENTRY = /^(?<plan>[a-z]+)[=:](?<limit>\w+)$/

const limitOf = (text: string): number | null | undefined =>
  text === UNLIMITED ? null : COUNT.test(text) ? Number(text) : undefined

/**
 * Reads a text such as `pro=100,enterprise=unlimited`; a plan that is not named has none. One number or `unlimited` alone is
 * for all of the plans.
 * @param of the plans that may be named
 * @param example what a wrong text is told to be like
 */
export const planLimits = (of: readonly PlanName[], example: string) =>
  z.string().transform((text, context): PlanLimits => {
    const read: Partial<Record<PlanName, number | null>> = {}
    const alone = limitOf(text)
    const entries = alone === undefined ? text.split(',') : of.map((plan) => `${plan}=${text}`)
    for (const entry of entries) {
      const { plan, limit = '' } = ENTRY.exec(entry.trim())?.groups ?? {}
      const [name, value] = [of.find((name) => name === plan), limitOf(limit)]
      if (name === undefined || value === undefined || name in read) {
        context.addIssue(`must be a number, or like ${example}`)
        return z.NEVER
      }
      read[name] = value
    }
    return { ...none, ...read }
  })

const none = Object.fromEntries(planNames.map((name) => [name, 0])) as Record<PlanName, number>
