import { z } from 'zod'
import { planNames } from '../contract/plans.ts'
import { roles } from '../contract/roles.ts'

/** What an account shows of itself. */
export const user = z.object({
  id: z.uuid(),
  email: z.string(),
  name: z.string().describe('May be empty.'),
  role: z.enum(roles),
  plan: z.enum(planNames),
  credits: z.int().describe('API credits that are left.'),
  createdAt: z.iso.datetime(),
})

export type User = z.output<typeof user>

/** The columns that make one. */
export const USER_COLUMNS = ['id', 'email', 'name', 'role', 'plan', 'credits', 'created_at'] as const

export interface UserRow extends Omit<User, 'createdAt'> {
  readonly created_at: Date
}

export const toUser = ({ id, email, name, role, plan, credits, created_at }: UserRow): User => ({
  id,
  email,
  name,
  role,
  plan,
  credits,
  createdAt: created_at.toISOString(),
})
