import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import { ApiError } from '../contract/api-error.ts'
import { deleteInSlices } from '../database/delete-in-slices.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'
import { requireOtherAdministrator } from './change-account.ts'
import { checkOwnPassword } from './change-user.ts'
import { type Login, revokeLoginTokens } from './login-tokens.ts'
import type { Passwords } from './passwords.ts'

/** Matches no password: it is not a hash. */
const NO_PASSWORD = ''

/** `.invalid` is reserved (RFC 2606 §2), and such an address is not valid at sign-in. */
const addressOfDeleted = (id: string): string => `deleted-${id}@invalid`

/**
 * Deletes the account of a signed-in user. Its keys and its password stop working at once, and its e-mail address is free. Its data is
 * deleted soon after (`clearAccount`). A second deletion at the same time does nothing.
 * @throws ApiError invalid_credentials, rate_limited, server_busy; last_administrator if no other administrator would be left
 */
export async function deleteAccount(
  db: Kysely<Schema>,
  passwords: Passwords,
  { user }: Login,
  actor: Actor,
  password: string,
): Promise<void> {
  const checkedText = await checkOwnPassword(db, passwords, user, password, actor.address)
  await db.transaction().execute(async (tx) => {
    await requireOtherAdministrator(tx, user.id)
    const account = await tx
      .selectFrom('account')
      .select(['password_hash', 'credits', 'deleted_at'])
      .where('id', '=', user.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (account.deleted_at) return
    // The password was changed meanwhile.
    if (account.password_hash !== checkedText) throw new ApiError('invalid_credentials')
    await tx
      .updateTable('account')
      .set({
        email: addressOfDeleted(user.id),
        name: '',
        password_hash: NO_PASSWORD,
        role: 'user',
        disabled_at: sql<Date>`coalesce(disabled_at, clock_timestamp())`,
        deleted_at: sql<Date>`clock_timestamp()`,
      })
      .where('id', '=', user.id)
      .execute()
    await revokeLoginTokens(tx, user.id, 'all')
    await record(tx, actor, 'account_deleted', user.id, { credits: account.credits })
  })
}

/** Statistics of an account. Monthly and daily usage stays until it is old: unfinished calls are still refunded there. */
const USAGE = ['usage_event', 'usage_day', 'ai_usage_day'] as const

/**
 * Deletes the data of a deleted account: keys, secrets, batches, usage. The files of its batches are deleted soon after
 * (`startRemovingFiles`). May be repeated, also concurrently.
 */
export async function clearAccount(pool: pg.Pool, id: string): Promise<void> {
  await pool.query('select clear_account($1)', [id])
  for (const table of USAGE) await deleteInSlices(pool, table, `account_id = '${id}'::uuid`)
}

/**
 * Calls {@link clearAccount} for every deleted account, until requests that were running at the deletion are over: an upload takes 50
 * minutes at most, and a reservation is voided after an hour. Returns how many accounts are done for good.
 * @throws AggregateError of those that failed, after all others were cleared
 */
export async function clearDeletedAccounts(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: string }>(
    'select id from account where deleted_at is not null and cleared_at is null order by deleted_at',
  )
  const errors: unknown[] = []
  for (const { id } of rows) await clearAccount(pool, id).catch((error: unknown) => errors.push([id, error]))
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} deleted accounts could not be cleared: ${errors[0]}`)
  const { rowCount } = await pool.query(
    `update account set cleared_at = clock_timestamp()
      where id = any($1) and deleted_at < clock_timestamp() - interval '2 hours'`,
    [rows.map(({ id }) => id)],
  )
  return rowCount ?? 0
}
