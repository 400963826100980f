import type { Kysely, Selectable } from 'kysely'
import { z } from 'zod'
import { pageOf, readCursor } from '../contract/cursor.ts'
import type { AuditEntryTable, Schema } from '../database/schema.ts'
import { type AuditAction, auditActions } from './audit.ts'

const person = z.object({ id: z.uuid(), email: z.string().nullable() })

/** An entry of the audit log as administrators see it. */
export const auditEntry = z.object({
  id: z.int(),
  at: z.iso.datetime(),
  action: z.enum(Object.keys(auditActions) as [AuditAction, ...AuditAction[]]),
  actor: person.nullable().describe('Who did it; null when nobody was signed in.'),
  account: person.describe('Whom it concerns.'),
  details: z.record(z.string(), z.unknown()).describe('What changed: from and to, or the credits and the note.'),
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
  // Only this code writes actions, from the same table.
  action: row.action as AuditAction,
  actor: row.actor_id === null ? null : { id: row.actor_id, email: row.actor_email },
  account: { id: row.account_id, email: row.account_email },
  details: row.details,
  requestId: row.request_id,
  address: row.address,
})
