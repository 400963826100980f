import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Kysely } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { toUser, USER_COLUMNS, type User } from './account.ts'
import { type Actor, record } from './audit.ts'
import { limitGuesses } from './guesses.ts'
import { type Login, revokeLoginTokens } from './login-tokens.ts'
import type { Passwords } from './passwords.ts'
import { newEmail, takeAttempt } from './throttle.ts'

export interface Changes {
  readonly name?: string | undefined
  readonly email?: string | undefined
  readonly password?: string | undefined
  /** Needed to change the e-mail address or the password. */
  readonly currentPassword?: string | undefined
  /** SIGN_UPS_PER_HOUR. */
  readonly perHour: number
}

/**
 * Changes the account of a signed-in user. A new password revokes all other login tokens.
 * @throws ApiError invalid_params without `currentPassword` where it is needed; invalid_credentials when it is wrong;
 * email_taken; rate_limited; server_busy
 */
export async function changeUser(
  db: Kysely<Schema>,
  passwords: Passwords,
  { user, tokenId }: Login,
  actor: Actor,
  changes: Changes,
): Promise<User> {
  const { name, email, password } = changes
  const isSecured = email !== undefined || password !== undefined
  if (isSecured && changes.currentPassword === undefined) {
    throw invalidParam('currentPassword', 'invalid_type', 'Is needed to change the e-mail address or the password.')
  }
  const checkedText = isSecured
    ? await checkOwnPassword(db, passwords, user, changes.currentPassword ?? '', actor.address)
    : undefined
  if (email !== undefined && email !== user.email) await takeAttempt(db, newEmail(actor.address, changes.perHour))
  const password_hash = password === undefined ? undefined : await passwords.hash(password, actor.address)
  return db.transaction().execute(async (tx) => {
    const before = await tx
      .selectFrom('account')
      .select('email')
      .where('id', '=', user.id)
      .where('deleted_at', 'is', null)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!before) throw new ApiError('invalid_or_expired_login_token')
    const row = await tx
      .updateTable('account')
      .set(({ ref }) => ({ name: name ?? ref('name'), ...(email && { email }), ...(password_hash && { password_hash }) }))
      .where('id', '=', user.id)
      .$if(checkedText !== undefined, (query) => query.where('password_hash', '=', checkedText ?? ''))
      .returning(USER_COLUMNS)
      .executeTakeFirst()
      .catch((error: unknown) => Promise.reject(isDuplicate(error) ? new ApiError('email_taken') : error))
    // The password was changed meanwhile.
    if (!row) throw new ApiError('invalid_credentials')
    if (row.email !== before.email) await record(tx, actor, 'email_changed', user.id, { from: before.email, to: row.email })
    if (password_hash) {
      const tokensRevoked = await revokeLoginTokens(tx, user.id, { except: tokenId })
      await record(tx, actor, 'password_changed', user.id, { tokensRevoked })
    }
    return toUser(row)
  })
}

const UNIQUE_VIOLATION = '23505'

const isDuplicate = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION

/**
 * Checks the password of a signed-in user: an open session must not be enough to take over or delete an account. Wrong passwords
 * count like those at sign-in. Returns the hash that the password matches.
 * @throws ApiError invalid_credentials, rate_limited, server_busy; invalid_or_expired_login_token if the account was deleted meanwhile
 */
export async function checkOwnPassword(
  db: Kysely<Schema>,
  passwords: Passwords,
  user: User,
  typedText: string,
  address: string,
): Promise<string> {
  const hash = await limitGuesses(db, passwords.guesses, { email: user.email, address }, async () => {
    const account = await db
      .selectFrom('account')
      .select('password_hash')
      .where('id', '=', user.id)
      .where('deleted_at', 'is', null)
      .executeTakeFirst()
    if (!account) throw new ApiError('invalid_or_expired_login_token')
    return (await passwords.verify(typedText, account.password_hash, address)) ? account.password_hash : undefined
  })
  if (hash === undefined) throw new ApiError('invalid_credentials')
  return hash
}
