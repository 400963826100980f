import { z } from 'zod'
import { toUser, USER_COLUMNS, type UserRow, user } from './user.ts'

/** An account as administrators see it. */
export const managedAccount = user.extend({ disabled: z.boolean() })

export type ManagedAccount = z.output<typeof managedAccount>

/** The columns that make one. */
export const MANAGED_COLUMNS = [...USER_COLUMNS, 'disabled_at'] as const

export interface ManagedRow extends UserRow {
  readonly disabled_at: Date | null
}

export const toManaged = (row: ManagedRow): ManagedAccount => ({ ...toUser(row), disabled: row.disabled_at !== null })
