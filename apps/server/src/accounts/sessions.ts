import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'
import { type Login, revokeLoginTokens } from './login-tokens.ts'

/** A session as the owner of its account sees it. */
export const session = z.object({
  id: z.uuid(),
  current: z.boolean().describe('Whether this request uses this session.'),
  from: z.string().nullable().describe('The User-Agent at sign-in, up to 200 characters.'),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable().describe('To the minute; null when it was never used.'),
  expiresAt: z.iso.datetime(),
})

export type Session = z.output<typeof session>

const latestUse = sql<Date>`coalesce(last_used_at, created_at)`

/** Active sessions of the account, the most recently used first; at most `limits.loginTokens`. */
export async function listSessions(db: Kysely<Schema>, { user, tokenId }: Login): Promise<readonly Session[]> {
  const rows = await db
    .selectFrom('login_token')
    .select(['id', 'user_agent', 'created_at', 'last_used_at', 'expires_at'])
    .where('account_id', '=', user.id)
    .where('expires_at', '>', sql<Date>`clock_timestamp()`)
    .orderBy(latestUse, 'desc')
    .orderBy('id')
    .execute()
  return rows.map(({ id, user_agent, created_at, last_used_at, expires_at }) => ({
    id,
    current: id === tokenId,
    from: user_agent,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
    expiresAt: expires_at.toISOString(),
  }))
}

/**
 * Ends one session of the account: its next request is refused, on every server.
 * @throws ApiError not_found when it has ended, belongs to another account, or the id is malformed
 */
export function endSession(db: Kysely<Schema>, actor: Actor, { user }: Login, id: string): Promise<void> {
  // PostgreSQL refuses to compare anything else with a UUID.
  if (!z.uuid().safeParse(id).success) throw new ApiError('not_found')
  return db.transaction().execute(async (tx) => {
    if ((await revokeLoginTokens(tx, user.id, { only: id })) === 0) throw new ApiError('not_found')
    await record(tx, actor, 'sign_in_ended', user.id, { sessionId: id })
  })
}

/** Ends all sessions of the account except the caller's; returns how many. */
export function endOtherSessions(db: Kysely<Schema>, actor: Actor, { user, tokenId }: Login): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const tokensRevoked = await revokeLoginTokens(tx, user.id, { except: tokenId })
    if (tokensRevoked > 0) await record(tx, actor, 'other_sign_ins_ended', user.id, { tokensRevoked })
    return tokensRevoked
  })
}
