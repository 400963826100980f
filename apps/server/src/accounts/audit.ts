import type { Kysely, Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import { pageOf, readCursor } from '../contract/cursor.ts'
import type { PlanName, Role } from '../contract/plans.ts'
import type { Scope } from '../contract/scopes.ts'
import type { AuditEntryTable, Schema } from '../database/schema.ts'

/** The account and the client that requested a change. */
export interface Actor {
  /** Null without a session. */
  readonly accountId: string | null
  readonly requestId: string
  /** Address of the client, behind the proxies that are trusted. */
  readonly address: string
}

/** No request: the server at its start, or its operator on the command line. */
export const THE_SERVER = null

interface Change<Value> {
  readonly from: Value
  readonly to: Value
}

/** What is recorded of each action; never a secret. */
interface AuditDetails {
  first_administrator_made: { readonly email: string }
  signed_up: { readonly email: string }
  account_added: { readonly email: string; readonly plan: PlanName }
  email_changed: Change<string>
  password_changed: { readonly tokensRevoked: number }
  signed_out_everywhere: { readonly tokensRevoked: number }
  sign_in_ended: { readonly sessionId: string }
  other_sign_ins_ended: { readonly tokensRevoked: number }
  account_deleted: { readonly credits: number }
  api_key_made: { readonly keyId: string; readonly name: string; readonly scopes: readonly Scope[] }
  api_key_revoked: { readonly keyId: string; readonly name: string }
  plan_changed: Change<PlanName>
  role_changed: Change<Role>
  disabled_changed: Change<boolean>
  delivery_places_changed: Change<readonly string[]>
  password_set: { readonly tokensRevoked: number }
  credits_granted: { readonly credits: number; readonly balance: number; readonly note: string }
  webhook_secret_rotated: { readonly previousExpiresAt: string }
  webhook_redelivered: { readonly deliveryId: string; readonly batchId: string }
  ai_key_saved: { readonly server: string; readonly model: string }
  ai_key_removed: { readonly server: string }
}

export type AuditAction = keyof AuditDetails

/** Every action that is recorded, and when; the documentation is made from it. */
export const auditActions = {
  first_administrator_made: 'The server started on an empty database.',
  signed_up: 'The owner signed up.',
  account_added: 'An administrator created the account.',
  email_changed: 'The owner changed the e-mail address.',
  password_changed: 'The owner changed the password, which ended all other sessions.',
  signed_out_everywhere: 'The owner ended all sessions.',
  sign_in_ended: 'The owner ended one session.',
  other_sign_ins_ended: 'The owner ended all other sessions.',
  account_deleted: 'The owner deleted the account and its remaining credits.',
  api_key_made: 'The owner created an API key.',
  api_key_revoked: 'The owner revoked an API key.',
  plan_changed: 'An administrator changed the plan.',
  role_changed: 'An administrator changed the role.',
  disabled_changed: 'An administrator disabled or enabled the account.',
  delivery_places_changed: 'An administrator changed the folders and buckets from which the account may deliver.',
  password_set: 'An administrator, or the operator on the machine, set a new password, which ended all sessions.',
  credits_granted: 'An administrator granted credits.',
  webhook_secret_rotated: 'The owner created a new webhook secret.',
  webhook_redelivered: 'The owner requested another delivery of a webhook.',
  ai_key_saved: 'The owner saved or replaced an AI key.',
  ai_key_removed: 'The owner removed the saved AI key.',
} as const satisfies Record<AuditAction, string>

/** Writes an action to the log in the transaction of the action itself, so that neither is kept without the other. */
export async function record<Action extends AuditAction>(
  tx: Transaction<Schema>,
  actor: Actor | typeof THE_SERVER,
  action: Action,
  accountId: string,
  details: AuditDetails[Action],
): Promise<void> {
  await tx
    .insertInto('audit_entry')
    .values({
      actor_id: actor?.accountId ?? null,
      action,
      account_id: accountId,
      details: JSON.stringify(details),
      request_id: actor?.requestId ?? null,
      address: actor?.address ?? null,
    })
    .execute()
}

const person = z.object({ id: z.uuid(), email: z.string().nullable() })

/** An entry of the audit log as administrators see it. */
export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]),
  actor: person.nullable().describe('The account that made the change; null for the system or an unauthenticated request.'),
  account: person.describe('The account that the change affects.'),
  details: z.record(z.string(), z.unknown()).describe('Details of the change: old and new values, or credits and note.'),
  requestId: z.string().nullable(),
  address: z.string().nullable(),
})

export type AuditEntry = z.output<typeof auditEntry>

export interface AuditPage {
  readonly data: readonly AuditEntry[]
  readonly nextCursor: string | null
}

const cursorKey = z.int().min(1)

/**
 * The audit log, newest first, of one account or of all.
 * @throws ApiError invalid_params for a cursor that is none
 */
export async function listAudit(
  db: Kysely<Schema>,
  {
    account,
    cursor,
    limit,
  }: { readonly account?: string | undefined; readonly cursor?: string | undefined; readonly limit: number },
): Promise<AuditPage> {
  const before = readCursor(cursorKey, cursor)
  let entries = db
    .selectFrom('audit_entry as entry')
    .leftJoin('account as actor', 'actor.id', 'entry.actor_id')
    .leftJoin('account', 'account.id', 'entry.account_id')
    .selectAll('entry')
    .select(['actor.email as actor_email', 'account.email as account_email'])
  if (account !== undefined) entries = entries.where('entry.account_id', '=', account)
  if (before !== undefined) entries = entries.where('entry.id', '<', before)
  const rows = await entries
    .orderBy('entry.id', 'desc')
    .limit(limit + 1)
    .execute()
  const { data, nextCursor } = pageOf(rows, limit, ({ id }) => id)
  return { data: data.map(toEntry), nextCursor }
}

type Row = Selectable<AuditEntryTable> & { readonly actor_email: string | null; readonly account_email: string | null }

const toEntry = (row: Row): AuditEntry => ({
  id: row.id,
  at: row.at.toISOString(),
  // Only `record` writes actions, from the same table.
  action: row.action as AuditAction,
  actor: row.actor_id === null ? null : { id: row.actor_id, email: row.actor_email },
  account: { id: row.account_id, email: row.account_email },
  details: row.details,
  requestId: row.request_id,
  address: row.address,
})
