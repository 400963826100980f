import { passwords } from '../../src/accounts/passwords.ts'
import type { Database } from '../../src/database/database.ts'
import { makeLogin, openServerDatabase } from './accounts.ts'
import type { TARGETS } from './database-targets.ts'
import { newAddress } from './person.ts'
import { serverOn } from './server-on.ts'
import { type SharedServer, shareServer } from './shared-server.ts'

/** As `serverOn`, but where the database is the embedded one, the server is lent by the pool. */
export async function sharedServerOn(
  target: (typeof TARGETS)[number],
  test: { readonly after: (end: () => Promise<void>) => void },
  settings: Readonly<Record<string, string>> = {},
): Promise<{ readonly server: SharedServer; readonly database: Database }> {
  if (target.name !== 'embedded') return serverOn(target, test, settings)
  const server = await shareServer(settings)
  const database = await openServerDatabase(server.dir)
  test.after(async () => {
    await database.close()
    await server[Symbol.asyncDispose]()
  })
  return { server, database }
}

export interface Member {
  readonly email: string
  readonly password: string
  readonly token: string
  readonly user: { readonly id: string }
}

const PASSWORD = 'correct horse'
let hashedText: Promise<string> | undefined

/** An account that can sign in with its password, and is signed in. Unlike a sign-up, it counts for no limit and takes no 20 ms for a hash. */
export async function addMember(database: Database): Promise<Member> {
  hashedText ??= passwords(() => {}).hash(PASSWORD)
  const email = newAddress()
  const values = { email, name: '', password_hash: await hashedText, plan: 'free' } as const
  const user = await database.kysely.insertInto('account').values(values).returning('id').executeTakeFirstOrThrow()
  return { email, password: PASSWORD, token: await makeLogin(database, user.id), user }
}
