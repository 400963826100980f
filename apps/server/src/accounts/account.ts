import { component } from '@pixelmill/codecs/contract/component'
import type { Transaction } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { type PlanName, planNames, roles } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'

/** An account as its owner sees it. */
export const user = z
  .object({
    id: z.uuid(),
    email: z.string(),
    name: z.string().describe('May be empty.'),
    role: z.enum(roles).meta(component('Role')),
    plan: z.enum(planNames).meta(component('Plan')),
    credits: z.int().describe('Remaining API credits.'),
    createdAt: z.iso.datetime(),
  })
  .meta(component('User'))

export type User = z.output<typeof user>

/** The columns that it is made from. */
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

/** An account as administrators see it. */
export const managedAccount = user
  .extend({
    disabled: z.boolean(),
    deliveryPlaces: z
      .array(z.string())
      .describe(
        'Folders and buckets of DELIVERY_FOLDERS and DELIVERY_BUCKETS, or below them, that an administrator has granted.',
      ),
  })
  .meta(component('ManagedAccount'))

export type ManagedAccount = z.output<typeof managedAccount>

/** The columns that it is made from. */
export const MANAGED_COLUMNS = [...USER_COLUMNS, 'disabled_at', 'delivery_places'] as const

export interface ManagedRow extends UserRow {
  readonly disabled_at: Date | null
  readonly delivery_places: string[]
}

export const toManaged = (row: ManagedRow): ManagedAccount => ({
  ...toUser(row),
  disabled: row.disabled_at !== null,
  deliveryPlaces: row.delivery_places,
})

export interface NewAccount {
  readonly email: string
  readonly name: string
  readonly password_hash: string
  readonly plan: PlanName
}

/** @throws ApiError email_taken, also for the second of two concurrent calls for one address */
export async function insertAccount(tx: Transaction<Schema>, account: NewAccount): Promise<ManagedRow> {
  const row = await tx
    .insertInto('account')
    .values(account)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning(MANAGED_COLUMNS)
    .executeTakeFirst()
  if (!row) throw new ApiError('email_taken')
  return row
}
