import { type Kysely, sql, type Transaction } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { PlanName, Role } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'
import { MANAGED_COLUMNS, type ManagedAccount, toManaged } from './account.ts'
import { type Actor, record, type THE_SERVER } from './audit.ts'
import { revokeLoginTokens } from './login-tokens.ts'
import type { Passwords } from './passwords.ts'

/** What an administrator may change; what is absent stays as it is. */
export interface AccountChange {
  readonly plan?: PlanName | undefined
  readonly role?: Role | undefined
  readonly disabled?: boolean | undefined
  readonly password?: string | undefined
  readonly deliveryPlaces?: readonly string[] | undefined
}

/**
 * Changes an account and writes old and new values to the audit log. Disabling it or setting its password ends all its sessions. Of
 * two concurrent changes the later one takes effect, and both are in the log.
 * @throws ApiError not_found; last_administrator if no other administrator would be left
 */
export async function changeAccount(
  db: Kysely<Schema>,
  passwords: Passwords,
  actor: Actor | typeof THE_SERVER,
  id: string,
  change: AccountChange,
): Promise<ManagedAccount> {
  // Before the transaction, which would otherwise hold its locks while the hash is computed.
  const passwordHash = change.password === undefined ? undefined : await passwords.hash(change.password)
  return db.transaction().execute(async (tx) => {
    if (change.role === 'user' || change.disabled) await requireOtherAdministrator(tx, id)
    const row = await tx
      .selectFrom('account')
      .select(MANAGED_COLUMNS)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!row) throw new ApiError('not_found', { message: 'There is no such account.' })
    const before = toManaged(row)
    const { plan = before.plan, role = before.role, disabled = before.disabled } = change
    const deliveryPlaces = [...(change.deliveryPlaces ?? before.deliveryPlaces)]
    const after = { ...before, plan, role, disabled, deliveryPlaces }
    await tx
      .updateTable('account')
      .set({
        plan,
        role,
        delivery_places: deliveryPlaces,
        disabled_at: disabled ? sql`coalesce(disabled_at, clock_timestamp())` : null,
        ...(passwordHash !== undefined && { password_hash: passwordHash }),
      })
      .where('id', '=', id)
      .execute()
    const tokensRevoked = disabled || passwordHash !== undefined ? await revokeLoginTokens(tx, id, 'all') : 0
    await recordChanges(tx, actor, before, after)
    if (role !== before.role || isMoved(before, after)) await forgetDelivered(tx, id)
    if (passwordHash !== undefined) await record(tx, actor, 'password_set', id, { tokensRevoked })
    return after
  })
}

async function recordChanges(
  tx: Transaction<Schema>,
  actor: Actor | typeof THE_SERVER,
  before: ManagedAccount,
  after: ManagedAccount,
): Promise<void> {
  const { id, plan, role, disabled, deliveryPlaces } = after
  if (plan !== before.plan) await record(tx, actor, 'plan_changed', id, { from: before.plan, to: plan })
  if (role !== before.role) await record(tx, actor, 'role_changed', id, { from: before.role, to: role })
  if (disabled !== before.disabled) await record(tx, actor, 'disabled_changed', id, { from: before.disabled, to: disabled })
  if (isMoved(before, after))
    await record(tx, actor, 'delivery_places_changed', id, { from: before.deliveryPlaces, to: deliveryPlaces })
}

const isMoved = (before: ManagedAccount, after: ManagedAccount): boolean =>
  JSON.stringify(before.deliveryPlaces) !== JSON.stringify(after.deliveryPlaces)

/** All servers forget what they have delivered from the operator's folders and buckets, and ask again what the account may use. */
async function forgetDelivered(tx: Transaction<Schema>, id: string): Promise<void> {
  await sql`
    with change as (update source_change set version = version + 1 returning version)
    update source set generation = change.version from change
     where account_id = ${id} and place ->> 'type' <> 'web' and place -> 'key' is null`.execute(tx)
}

/** Any number that is the same on every server, and not used by another lock. */
const ADMINISTRATORS_LOCK = 7_312_006

/**
 * Call it before an administrator is demoted, disabled or deleted, in the same transaction. A lock serializes such changes, so that
 * one administrator always remains.
 * @throws ApiError last_administrator when the account is the only one that is enabled
 */
export async function requireOtherAdministrator(tx: Transaction<Schema>, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${ADMINISTRATORS_LOCK})`.execute(tx)
  const enabledAdministrators = await tx
    .selectFrom('account')
    .select('id')
    .where('role', '=', 'admin')
    .where('disabled_at', 'is', null)
    .execute()
  if (enabledAdministrators.length === 1 && enabledAdministrators[0]?.id === id) throw new ApiError('last_administrator')
}
