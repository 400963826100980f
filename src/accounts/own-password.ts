import type { Kysely } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'
import { limitGuesses } from './guesses.ts'
import type { Passwords } from './passwords.ts'
import type { User } from './user.ts'

/**
 * A session left open must not be enough to take an account over, or to delete it; guesses count like those at sign-in. Returns
 * the hash that the password fits.
 * @throws ApiError invalid_credentials, rate_limited, server_busy
 */
export async function checkOwnPassword(
  db: Kysely<Schema>,
  passwords: Passwords,
  user: User,
  typed: string,
  address: string,
): Promise<string> {
  const hash = await limitGuesses(db, passwords.line, { email: user.email, address }, async () => {
    const kept = await db.selectFrom('account').select('password_hash').where('id', '=', user.id).executeTakeFirst()
    return (await passwords.verify(typed, kept?.password_hash)) ? kept?.password_hash : undefined
  })
  if (hash === undefined) throw new ApiError('invalid_credentials')
  return hash
}
