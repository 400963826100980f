import { createHmac, randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { type Actor, record } from '../accounts/audit.ts'
import type { Schema } from '../database/schema.ts'

const SECRET_PREFIX = 'whsec_'

export interface Message {
  /** The same at every attempt, so that a receiver recognises duplicates. */
  readonly id: string
  /** Time of this attempt: receivers refuse old ones. */
  readonly at: Date
  /** The bytes as they are sent. */
  readonly body: string
}

/**
 * The headers of Standard Webhooks: `v1` is HMAC-SHA256 over id, seconds since 1970 and body, with full stops between;
 * one signature for each secret, "space delimited".
 */
export function signatureHeaders({ id, at, body }: Message, secrets: readonly string[]): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  }
}

/** Descriptions of the headers, for the documentation. */
export const signatureHeaderTexts = {
  'webhook-id': 'The same at every attempt to deliver the event.',
  'webhook-timestamp': 'Of this attempt, in seconds since 1970; refuse what is older than five minutes.',
  'webhook-signature':
    '`v1,` and the Base64 HMAC-SHA256 of id, timestamp and body, joined by full stops, with your webhook secret as key; while a secret is being replaced, two signatures separated by a space.',
} as const

/** A secret as its owner sees it. */
export const webhookSecret = z.object({
  secret: z.string().describe('`whsec_` and the key in Base64, the format of Standard Webhooks libraries.'),
  previousExpiresAt: z.iso
    .datetime()
    .optional()
    .describe('Until then the previous secret signs as well; absent if it no longer does.'),
})

export type WebhookSecret = z.output<typeof webhookSecret>

/** Standard Webhooks: "between 24 bytes (192 bits) and 64 bytes (512 bits)". The length of SHA-256. */
const SECRET_BYTES = 32
const newSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** How long receivers may take to switch to the new secret. */
const OVERLAP = sql<Date>`clock_timestamp() + interval '24 hours'`

interface SecretRow {
  readonly secret: string
  readonly previous: string | null
  readonly previous_until: Date | null
}

/** The account's secret, created at its first use. */
export async function showSecret(db: Kysely<Schema>, accountId: string): Promise<WebhookSecret> {
  const { secret, previous_until } = await secretOf(db, accountId)
  return toWebhookSecret(secret, previous_until)
}

/** What an attempt of the account's deliveries is signed with, the current secret first. */
export async function signingSecrets(db: Kysely<Schema>, accountId: string): Promise<readonly string[]> {
  const { secret, previous } = await secretOf(db, accountId)
  return previous === null ? [secret] : [secret, previous]
}

/** A new secret; the current one signs beside it for 24 hours, and one before that no longer. */
export function rotateSecret(db: Kysely<Schema>, actor: Actor, accountId: string): Promise<WebhookSecret> {
  return db.transaction().execute(async (tx) => {
    await secretOf(tx, accountId)
    const { secret, previous_until } = await tx
      .updateTable('webhook_secret')
      .set((row) => ({ previous: row.ref('secret'), previous_until: OVERLAP, secret: newSecret() }))
      .where('account_id', '=', accountId)
      .returning(['secret', 'previous_until'])
      .executeTakeFirstOrThrow()
    await record(tx, actor, 'webhook_secret_rotated', accountId, { previousExpiresAt: previous_until?.toISOString() ?? '' })
    return toWebhookSecret(secret, previous_until)
  })
}

/** Without the previous secret once it has expired. */
async function secretOf(db: Kysely<Schema>, accountId: string): Promise<SecretRow> {
  const current = sql<boolean>`previous_until > clock_timestamp()`
  const find = () =>
    db
      .selectFrom('webhook_secret')
      .select(['secret', 'previous', 'previous_until', current.as('current')])
      .where('account_id', '=', accountId)
      .executeTakeFirst()
  let row = await find()
  if (!row) {
    await db
      .insertInto('webhook_secret')
      .values({ account_id: accountId, secret: newSecret(), previous: null, previous_until: null })
      // Of two concurrent requests one secret is kept, and both return it.
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    row = await find()
  }
  if (!row) throw new Error(`account ${accountId} has no webhook secret`)
  return row.current ? row : { secret: row.secret, previous: null, previous_until: null }
}

const toWebhookSecret = (secret: string, previousUntil: Date | null): WebhookSecret => ({
  secret,
  ...(previousUntil && { previousExpiresAt: previousUntil.toISOString() }),
})
