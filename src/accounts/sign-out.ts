import type { Kysely } from 'kysely'
import type { Schema } from '../database/schema.ts'
import { type Actor, record } from './audit.ts'
import { type Login, revokeLoginTokens } from './login-tokens.ts'

/** Ends this sign-in, or every one of the account; returns how many. */
export function signOut(db: Kysely<Schema>, actor: Actor, { user, tokenId }: Login, everywhere: boolean): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const tokensRevoked = await revokeLoginTokens(tx, user.id, everywhere ? 'all' : { only: tokenId })
    if (everywhere) await record(tx, actor, 'signed_out_everywhere', user.id, { tokensRevoked })
    return tokensRevoked
  })
}
