import type { Kysely } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { PlanName } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'
import { insertAccount, toUser, USER_COLUMNS, type User } from './account.ts'
import { type Actor, record } from './audit.ts'
import { limitGuesses, rememberPlace } from './guesses.ts'
import { type Issued, issueLoginToken, type Login, revokeLoginTokens, type UserAgent } from './login-tokens.ts'
import { isOutdated, type Passwords } from './passwords.ts'
import { newEmail, takeAttempt } from './throttle.ts'

export interface SignIn {
  readonly email: string
  /** How the address was kept before letters in other forms became the same letters. */
  readonly earlierEmail?: string
  readonly password: string
  /** The client's. */
  readonly address: string
  readonly userAgent?: UserAgent
}

/**
 * A new token, whatever the caller had before. An unknown e-mail address, a wrong password and a disabled account are the
 * same work and the same answer.
 * @throws ApiError invalid_credentials; rate_limited, asked before the password is looked at; server_busy
 */
export async function signIn(
  db: Kysely<Schema>,
  passwords: Passwords,
  { email, earlierEmail = email, password, address, userAgent }: SignIn,
): Promise<Issued & { readonly user: User }> {
  // Counted by the one spelling, or each form of a letter would bring guesses of its own.
  const account = await limitGuesses(db, passwords.line, { email, address }, async () => {
    const found = await accountOf(db, email, earlierEmail)
    const matches = await passwords.verify(password, found?.password_hash)
    return matches && !found?.disabled_at ? found : undefined
  })
  if (!account) throw new ApiError('invalid_credentials')
  const hash = await renewed(db, passwords, account, password)
  const issued = await issueLoginToken(db, account.id, hash, userAgent)
  // The password was changed, or the account disabled, while it was being checked.
  if (!issued) throw new ApiError('invalid_credentials')
  return { ...issued, user: toUser(account) }
}

/** Of two the one that has exactly the typed spelling: an account that was made when forms of letters made addresses. */
const accountOf = (db: Kysely<Schema>, email: string, earlier: string) =>
  db
    .selectFrom('account')
    .select([...USER_COLUMNS, 'password_hash', 'disabled_at'])
    .where('email', 'in', [email, earlier])
    .orderBy(({ eb }) => eb('email', '=', earlier), 'desc')
    .executeTakeFirst()

/** The password's hash, made anew when it dates from a time of lower cost: only now is the password at hand. */
async function renewed(
  db: Kysely<Schema>,
  passwords: Passwords,
  { id, password_hash: kept }: { readonly id: string; readonly password_hash: string },
  password: string,
): Promise<string> {
  if (!isOutdated(kept)) return kept
  const made = await passwords.hash(password)
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ password_hash: made })
    .where('id', '=', id)
    .where('password_hash', '=', kept)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? made : kept
}

export interface SignUp {
  readonly email: string
  readonly password: string
  readonly name: string
  /** DEFAULT_PLAN. */
  readonly plan: PlanName
  /** SIGN_UPS_PER_HOUR. */
  readonly perHour: number
  readonly userAgent?: UserAgent
}

/**
 * Makes an account and signs it in.
 * @throws ApiError email_taken; rate_limited; server_busy
 */
export async function signUp(
  db: Kysely<Schema>,
  passwords: Passwords,
  actor: Actor,
  { email, password, name, plan, perHour, userAgent }: SignUp,
): Promise<Issued & { readonly user: User }> {
  await takeAttempt(db, newEmail(actor.address, perHour))
  const hash = await passwords.hash(password)
  return db.transaction().execute(async (tx) => {
    const account = await insertAccount(tx, { email, name, password_hash: hash, plan })
    const issued = await issueLoginToken(tx, account.id, hash, userAgent)
    if (!issued) throw new Error('an account that was just made could not be signed in')
    await rememberPlace(tx, email, actor.address)
    await record(tx, actor, 'signed_up', account.id, { email })
    return { ...issued, user: toUser(account) }
  })
}

/** Ends this sign-in, or every one of the account; returns how many. */
export function signOut(db: Kysely<Schema>, actor: Actor, { user, tokenId }: Login, everywhere: boolean): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const tokensRevoked = await revokeLoginTokens(tx, user.id, everywhere ? 'all' : { only: tokenId })
    if (everywhere) await record(tx, actor, 'signed_out_everywhere', user.id, { tokensRevoked })
    return tokensRevoked
  })
}
