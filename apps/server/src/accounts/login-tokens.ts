import { createHash, randomBytes } from 'node:crypto'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { Schema } from '../database/schema.ts'
import { toUser, type User, type UserRow } from './account.ts'

/** `at_` and 32 random bytes in base64url. */
export const LOGIN_TOKEN = /^at_[A-Za-z0-9_-]{43}$/

const LOGIN_DAYS = 30

/** A new login token, which is shown only once. */
export interface Issued {
  readonly token: string
  readonly expiresAt: Date
}

/** The header User-Agent. */
export type UserAgent = string | undefined

const USER_AGENT_LENGTH = 200

/** A valid login token and its account. */
export interface Login {
  readonly tokenId: string
  readonly user: User
}

/** The token has 256 random bits and cannot be guessed, so a plain hash is enough. */
export const hashLoginToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Issues a token if the password hash is still the one that was checked. The lock on the account orders this against a change of
 * password, so that no token issued for the old password survives the change.
 */
export async function issueLoginToken(
  db: Kysely<Schema>,
  accountId: string,
  passwordHash: string,
  userAgent?: UserAgent,
): Promise<Issued | undefined> {
  const token = `at_${randomBytes(32).toString('base64url')}`
  const { rows } = await sql<{ expires_at: Date }>`
    with holder as (
      select id from account where id = ${accountId} and password_hash = ${passwordHash} and disabled_at is null for share
    )
    insert into login_token (account_id, hash, expires_at, user_agent)
    select id, ${hashLoginToken(token)}, clock_timestamp() + make_interval(hours => ${LOGIN_DAYS * 24}),
           ${userAgent?.slice(0, USER_AGENT_LENGTH) || null} from holder
    returning expires_at`.execute(db)
  const [row] = rows
  if (!row) return undefined
  await endOldest(db, accountId)
  return { token, expiresAt: row.expires_at }
}

/** Bounds the number of tokens of an account. */
async function endOldest(db: Kysely<Schema>, accountId: string): Promise<void> {
  await sql`
    delete from login_token where account_id = ${accountId} and id in (
      select id from login_token where account_id = ${accountId} order by created_at desc offset ${limits.loginTokens}
    )`.execute(db)
}

/** Finds a valid token in one round trip; nothing is cached, so a revoked token fails at once. */
export async function findLogin(pool: Pick<pg.Pool, 'query'>, tokenHash: Buffer): Promise<Login | undefined> {
  const { rows } = await pool.query<UserRow & { readonly token_id: string }>({
    name: 'find_login',
    text: 'select token_id, id, email, name, role, plan, credits, created_at from find_login($1, $2)',
    values: [tokenHash, limits.admission.lastUseSeconds],
  })
  const [row] = rows
  return row && { tokenId: row.token_id, user: toUser(row) }
}

/** Revokes one token of an account, all but one, or all. Returns how many. */
export async function revokeLoginTokens(
  db: Kysely<Schema>,
  accountId: string,
  which: { readonly only: string } | { readonly except: string } | 'all',
): Promise<number> {
  let tokens = db.deleteFrom('login_token').where('account_id', '=', accountId)
  if (which !== 'all') tokens = 'only' in which ? tokens.where('id', '=', which.only) : tokens.where('id', '<>', which.except)
  const { numDeletedRows } = await tokens.executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes expired tokens in batches; returns how many. */
export async function forgetExpiredTokens(db: Kysely<Schema>): Promise<number> {
  const old = sql<string>`(select id from login_token where expires_at < now() limit 10000 for update skip locked)`
  const { numDeletedRows } = await db.deleteFrom('login_token').where('id', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
