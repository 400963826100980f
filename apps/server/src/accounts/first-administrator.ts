import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { scopeNames } from '../contract/scopes.ts'
import type { Schema } from '../database/schema.ts'
import { makeApiKey, saveApiKey } from './api-keys.ts'
import { record, THE_SERVER } from './audit.ts'
import type { Passwords } from './passwords.ts'

/** What the operator may set; the rest is generated. */
export interface FirstAdministrator {
  readonly email: string
  readonly password: string | undefined
  readonly apiKey: string | undefined
}

/** What was created, to be printed once. The operator does not know yet what was generated. */
export interface Credentials {
  readonly email: string
  readonly password: { readonly value: string; readonly generated: boolean }
  readonly apiKey: { readonly value: string; readonly generated: boolean }
}

/** Any number that is the same in every replica that starts on the same empty database. */
const FIRST_RUN_LOCK = 7_312_001

const givenOr = (givenText: string | undefined, make: () => string) => ({
  value: givenText ?? make(),
  generated: givenText === undefined,
})

/** On a database without accounts: the first administrator, on the Enterprise plan, with one API key that has all scopes. Otherwise nothing. */
export function createFirstAdministrator(
  db: Kysely<Schema>,
  passwords: Passwords,
  wantedAdministrator: FirstAdministrator,
): Promise<Credentials | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${FIRST_RUN_LOCK})`.execute(tx)
    if (await tx.selectFrom('account').select('id').limit(1).executeTakeFirst()) return undefined
    const password = givenOr(wantedAdministrator.password, () => randomBytes(12).toString('base64url'))
    const apiKey = givenOr(wantedAdministrator.apiKey, makeApiKey)
    const { email } = wantedAdministrator
    const account = await tx
      .insertInto('account')
      .values({
        email,
        name: 'Administrator',
        password_hash: await passwords.hash(password.value),
        role: 'admin',
        plan: 'enterprise',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await saveApiKey(tx, account.id, 'First key', apiKey.value, scopeNames)
    await record(tx, THE_SERVER, 'first_administrator_made', account.id, { email })
    return { email, password, apiKey }
  })
}
