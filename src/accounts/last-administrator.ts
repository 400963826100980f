import { sql, type Transaction } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'

/** Any number: it only has to be the same on every server, and another than that of the first start. */
const ADMINISTRATORS_LOCK = 7_312_006

/**
 * Before an administrator is taken away, in the transaction that does so: takes turns with everyone who does. Of the last two,
 * one stays.
 * @throws ApiError last_administrator when the account is the only one that is enabled
 */
export async function requireOtherAdministrator(tx: Transaction<Schema>, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`.execute(tx)
  const enabled = await tx
    .selectFrom('account')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .execute()
  if (enabled.length === 1 && enabled[0]?.id === id) throw new ApiError('last_administrator')
}
