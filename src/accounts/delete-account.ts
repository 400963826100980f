import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'
import { requireOtherAdministrator } from './last-administrator.ts'
import { type Login, revokeLoginTokens } from './login-tokens.ts'
import { checkOwnPassword } from './own-password.ts'
import type { Passwords } from './passwords.ts'

/** No password has it: it is no hash. */
const NO_PASSWORD = ''

/** Reserved for what cannot exist (RFC 2606 §2), and no address by our own rule: nobody can sign in with it. */
const addressOfDeleted = (id: string): string => `deleted-${id}@invalid`

/**
 * Deletes the account of somebody who is signed in. From here on nobody gets in, by key or by password, and the e-mail address
 * is free; what the account leaves goes soon after (`clearAccount`). Of two at once the second finds it done.
 * @throws ApiError invalid_credentials, rate_limited, server_busy; last_administrator when nobody would be left to administer
 */
export async function deleteAccount(
  db: Kysely<Schema>,
  passwords: Passwords,
  { user }: Login,
  actor: Actor,
  password: string,
): Promise<void> {
  const checked = await checkOwnPassword(db, passwords, user, password, actor.address)
  await db.transaction().execute(async (tx) => {
    await requireOtherAdministrator(tx, user.id)
    const account = await tx
      .selectFrom('account')
      .select(['password_hash', 'credits', 'deleted_at'])
      .where('id', '=', user.id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    if (account.deleted_at) return
    // A change of the password came first.
    if (account.password_hash !== checked) throw new ApiError('invalid_credentials')
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
