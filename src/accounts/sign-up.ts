import type { Kysely } from 'kysely'
import type { PlanName } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'
import { insertAccount } from './insert-account.ts'
import { rememberPlace } from './known-places.ts'
import { type Issued, issueLoginToken, type UserAgent } from './login-tokens.ts'
import type { Passwords } from './passwords.ts'
import { newEmail, takeAttempt } from './throttle.ts'
import { toUser, type User } from './user.ts'

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
