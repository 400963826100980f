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
  /** The spelling before addresses were normalized by NFKC. */
  readonly earlierEmail?: string
  readonly password: string
  /** The client's IP address. */
  readonly address: string
  readonly userAgent?: UserAgent
}

/**
 * Checks a password and issues a token. An unknown e-mail address, a wrong password and a disabled account take the same time and get
 * the same answer.
 * @throws ApiError invalid_credentials; rate_limited, before the password is checked; server_busy
 */
export async function signIn(
  db: Kysely<Schema>,
  passwords: Passwords,
  { email, earlierEmail = email, password, address, userAgent }: SignIn,
): Promise<Issued & { readonly user: User }> {
  // Counted under the normal spelling: otherwise each form of a letter would allow ten more guesses.
  const account = await limitGuesses(db, passwords.guesses, { email, address }, async () => {
    const foundAccount = await accountOf(db, email, earlierEmail)
    const matches = await passwords.verify(password, foundAccount?.password_hash, address)
    return matches && !foundAccount?.disabled_at ? foundAccount : undefined
  })
  if (!account) throw new ApiError('invalid_credentials')
  const hash = await renewText(db, passwords, account, password, address)
  const issuedToken = await issueLoginToken(db, account.id, hash, userAgent)
  // The password was changed, or the account disabled, during the check.
  if (!issuedToken) throw new ApiError('invalid_credentials')
  return { ...issuedToken, user: toUser(account) }
}

/** Prefers the account with exactly the typed spelling, which may date from before addresses were normalized by NFKC. */
const accountOf = (db: Kysely<Schema>, email: string, earlier: string) =>
  db
    .selectFrom('account')
    .select([...USER_COLUMNS, 'password_hash', 'disabled_at'])
    .where('email', 'in', [email, earlier])
    .orderBy(({ eb }) => eb('email', '=', earlier), 'desc')
    .executeTakeFirst()

/** Hashes the password again where its hash has an outdated cost: only now is the password known. */
async function renewText(
  db: Kysely<Schema>,
  passwords: Passwords,
  { id, password_hash: keptText }: { readonly id: string; readonly password_hash: string },
  password: string,
  address: string,
): Promise<string> {
  if (!isOutdated(keptText)) return keptText
  const madeText = await passwords.hash(password, address)
  const { numUpdatedRows } = await db
    .updateTable('account')
    .set({ password_hash: madeText })
    .where('id', '=', id)
    .where('password_hash', '=', keptText)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n ? madeText : keptText
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
 * Creates an account and signs it in.
 * @throws ApiError email_taken; rate_limited; server_busy
 */
export async function signUp(
  db: Kysely<Schema>,
  passwords: Passwords,
  actor: Actor,
  { email, password, name, plan, perHour, userAgent }: SignUp,
): Promise<Issued & { readonly user: User }> {
  await takeAttempt(db, newEmail(actor.address, perHour))
  const hash = await passwords.hash(password, actor.address)
  return db.transaction().execute(async (tx) => {
    const account = await insertAccount(tx, { email, name, password_hash: hash, plan })
    const issuedToken = await issueLoginToken(tx, account.id, hash, userAgent)
    if (!issuedToken) throw new Error('a new account could not be signed in')
    await rememberPlace(tx, email, actor.address)
    await record(tx, actor, 'signed_up', account.id, { email })
    return { ...issuedToken, user: toUser(account) }
  })
}

/** Revokes the caller's login token, or all of the account; returns how many. */
export function signOut(db: Kysely<Schema>, actor: Actor, { user, tokenId }: Login, everywhere: boolean): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const tokensRevoked = await revokeLoginTokens(tx, user.id, everywhere ? 'all' : { only: tokenId })
    if (everywhere) await record(tx, actor, 'signed_out_everywhere', user.id, { tokensRevoked })
    return tokensRevoked
  })
}
