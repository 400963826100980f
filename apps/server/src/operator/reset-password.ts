import { randomBytes } from 'node:crypto'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { THE_SERVER } from '../accounts/audit.ts'
import { changeAccount } from '../accounts/change-account.ts'
import { typedEmail } from '../accounts/email.ts'
import { passwords } from '../accounts/passwords.ts'
import type { Config } from '../config.ts'
import { type Database, openDatabase } from '../database/database.ts'
import { openOwnDatabase } from './own-database.ts'
import { type OperatorAction, WrongArgument } from './run-command.ts'

export interface ResetOptions {
  /** The address as typed. */
  readonly typed: string
  readonly administrator: boolean
}

/**
 * Sets a new password for an operator who has access to the machine and has lost it; prints it once, and ends the account's
 * sessions.
 * docs/backup.md explains how to use it.
 */
export const resetPassword: OperatorAction<ResetOptions> = async ({ typed, administrator }, config, openedStack) => {
  const database = await openAny(config, openedStack)
  const { id, email } = await accountOf(database, typed)
  const password = randomBytes(PASSWORD_BYTES).toString('base64url')
  const raisedRights = administrator ? ({ role: 'admin', disabled: false } as const) : {}
  const { role, disabled } = await changeAccount(
    database.kysely,
    passwords(() => {}),
    THE_SERVER,
    id,
    { password, ...raisedRights },
  )
  console.log(
    `${email} (${role}${disabled ? ', disabled' : ''}) has the password ${password} from now on, and is signed out everywhere.`,
  )
}

/** 96 bits, like the first administrator's. */
const PASSWORD_BYTES = 12

async function openAny({ DATABASE_URL: url, DATA_DIR: dir }: Config, openedStack: AsyncDisposableStack): Promise<Database> {
  if (url === undefined) return (await openOwnDatabase(dir, openedStack)).database
  const database = await openDatabase({ url }, (error) => console.error(`A connection broke: ${error.message}`))
  openedStack.defer(() => database.close())
  return database
}

async function accountOf({ kysely }: Database, typedText: string): Promise<{ readonly id: string; readonly email: string }> {
  const knownEmail = typedEmail(typedText)
  if (knownEmail === undefined) throw new WrongArgument(`${typedText} is no e-mail address.`)
  const { email, earlier } = knownEmail
  const account = await kysely
    .selectFrom('account')
    .select(['id', 'email'])
    .where('email', 'in', [email, earlier])
    .where('deleted_at', 'is', null)
    .orderBy(({ eb }) => eb('email', '=', earlier), 'desc')
    .executeTakeFirst()
  if (account) return account
  const first = await kysely
    .selectFrom('account')
    .select('email')
    .where('role', '=', 'admin')
    .orderBy('created_at')
    .executeTakeFirst()
  throw new StartError(`No account has the address ${email}${first ? `; the first administrator's is ${first.email}` : ''}.`)
}
