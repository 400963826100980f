import { z } from 'zod'

export interface Plan {
  readonly apiAccess: boolean
  readonly ai: boolean
  /** Successful calls in one UTC calendar month; null is unlimited. */
  readonly callsPerMonth: number | null
}

/** What each plan allows: docs/accounts.md. */
export const plans = {
  free: { apiAccess: false, ai: false, callsPerMonth: 0 },
  pro: { apiAccess: false, ai: true, callsPerMonth: 0 },
  team: { apiAccess: true, ai: true, callsPerMonth: 50_000 },
  enterprise: { apiAccess: true, ai: true, callsPerMonth: null },
} as const satisfies Record<string, Plan>

export type PlanName = keyof typeof plans

/** The type check of the table ensures that it has a row. */
export const planNames = Object.keys(plans) as [PlanName, ...PlanName[]]

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
 * @param example shown in the error message for a wrong text
 */
export const planLimits = (of: readonly PlanName[], example: string) =>
  z.string().transform((text, context): PlanLimits => {
    const read: Partial<Record<PlanName, number | null>> = {}
    const alone = limitOf(text)
    const entries = alone === undefined ? text.split(',') : of.map((plan) => `${plan}=${text}`)
    for (const entry of entries) {
      const { plan, limit = '' } = ENTRY.exec(entry.trim())?.groups ?? {}
      const name = of.find((name) => name === plan)
      const value = limitOf(limit)
      if (name === undefined || value === undefined || name in read) {
        context.addIssue(`must be a number, or like ${example}`)
        return z.NEVER
      }
      read[name] = value
    }
    return { ...none, ...read }
  })

const none = Object.fromEntries(planNames.map((name) => [name, 0])) as Record<PlanName, number>

/** Rights of an account: an administrator may change other accounts. */
export const roles = ['user', 'admin'] as const

export type Role = (typeof roles)[number]
