import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { MANAGED_COLUMNS, type ManagedAccount, toManaged } from './managed-account.ts'

/** One account, and when somebody was last there. */
export interface ShownAccount extends ManagedAccount {
  readonly disabledAt: Date | null
  /** Credits held by calls whose answer is under way. */
  readonly reservedCredits: number
  /** Sign-ins that have not ended. */
  readonly sessions: number
  /** By a call of the last 13 months, or a sign-in or key that is still there; to the minute. */
  readonly lastActiveAt: Date | null
}

/** @throws ApiError not_found */
export async function showAccount(db: Kysely<Schema>, id: string): Promise<ShownAccount> {
  const row = await db
    .selectFrom('account')
    .select([...MANAGED_COLUMNS, 'reserved'])
    .select([
      sql<number>`(select count(*) from login_token t where t.account_id = account.id and t.expires_at > clock_timestamp())`.as(
        'sessions',
      ),
      sql<Date | null>`greatest(
        (select max(coalesce(t.last_used_at, t.created_at)) from login_token t where t.account_id = account.id),
        (select max(k.last_used_at) from api_key k where k.account_id = account.id),
        (select max(e.at) from usage_event e where e.account_id = account.id))`.as('last_active_at'),
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found', { message: 'There is no such account.' })
  const { disabled_at: disabledAt, reserved: reservedCredits, sessions, last_active_at: lastActiveAt } = row
  return { ...toManaged(row), disabledAt, reservedCredits, sessions, lastActiveAt }
}
