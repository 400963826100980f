import type { Kysely } from 'kysely'
import type { PlanName } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'
import { insertAccount } from './insert-account.ts'
import { type ManagedAccount, toManaged } from './managed-account.ts'
import type { Passwords } from './passwords.ts'

export interface AddedAccount {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly plan: PlanName
}

/**
 * An account that an administrator makes for somebody, also where sign-up is closed.
 * @throws ApiError email_taken; server_busy
 */
export async function addAccount(
  db: Kysely<Schema>,
  passwords: Passwords,
  actor: Actor,
  { password, ...account }: AddedAccount,
): Promise<ManagedAccount> {
  const password_hash = await passwords.hash(password)
  return db.transaction().execute(async (tx) => {
    const added = toManaged(await insertAccount(tx, { ...account, password_hash }))
    await record(tx, actor, 'account_added', added.id, { email: added.email, plan: added.plan })
    return added
  })
}
