import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import { pageOf, readCursor } from '../contract/cursor.ts'
import type { PlanName } from '../contract/plans.ts'
import type { Schema } from '../database/schema.ts'
import { insertAccount, MANAGED_COLUMNS, type ManagedAccount, toManaged } from './account.ts'
import { type Actor, record } from './audit.ts'
import type { Passwords } from './passwords.ts'

export interface AccountsPage {
  readonly data: readonly ManagedAccount[]
  readonly nextCursor: string | null
}

/** Microseconds, as in the database: a Date has milliseconds only, and rows of the same millisecond would be skipped. */
const cursorKey = z.tuple([z.int().min(0), z.uuid()])
const createdMicros = sql<number>`(extract(epoch from created_at) * 1000000)::bigint`

/**
 * Accounts that are not deleted, newest first, whose e-mail or name contains a text in whatever case.
 * @throws ApiError invalid_params for a cursor that is none
 */
export async function listAccounts(
  db: Kysely<Schema>,
  { query, cursor, limit }: { readonly query?: string | undefined; readonly cursor?: string | undefined; readonly limit: number },
): Promise<AccountsPage> {
  const after = readCursor(cursorKey, cursor)
  let rows = db
    .selectFrom('account')
    .select([...MANAGED_COLUMNS, createdMicros.as('created_micros')])
    .where('deleted_at', 'is', null)
  if (query !== undefined) {
    const pattern = anyCase(query)
    rows = rows.where((row) => row.or([row('email', '~', pattern), row('name', '~', pattern)]))
  }
  if (after) {
    const [micros, id] = after
    const moment = sql<Date>`timestamptz 'epoch' + ${micros} * interval '1 microsecond'`
    rows = rows.where((row) => row(row.refTuple('created_at', 'id'), '<', row.tuple(moment, id)))
  }
  const foundAccounts = await rows
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { data, nextCursor } = pageOf(foundAccounts, limit, ({ created_micros, id }) => [created_micros, id])
  return { data: data.map(toManaged), nextCursor }
}

/**
 * A regular expression that matches the text in either case. Not ILIKE: case folding of the database depends on its locale, and the
 * embedded one folds ASCII only.
 */
function anyCase(text: string): string {
  return [...text.normalize('NFC')].map((letter) => `[${[...variants(letter)].map(literal).join('')}]`).join('')
}

const variants = (letter: string): ReadonlySet<string> =>
  // One code point each: the capital of ß has two.
  new Set([letter, letter.toLowerCase(), letter.toUpperCase()].filter((variant) => [...variant].length === 1))

/** In brackets, a backslash before a character other than a letter or digit makes it literal. */
const literal = (letter: string): string => (/[\p{L}\p{N}]/u.test(letter) ? letter : `\\${letter}`)

/** One account with its activity. */
export interface ShownAccount extends ManagedAccount {
  readonly disabledAt: Date | null
  /** Credits reserved by unfinished calls. */
  readonly reservedCredits: number
  /** Active sessions. */
  readonly sessions: number
  /** By a call of the last 13 months, or by a session or key that still exists; to the minute. */
  readonly lastActiveAt: Date | null
}

/** @throws ApiError not_found */
export async function showAccount(db: Kysely<Schema>, id: string): Promise<ShownAccount> {
  const row = await db
    .selectFrom('account')
    .select([...MANAGED_COLUMNS, 'reserved'])
    .select([
      sql<number>`(select count(*) from login_token t where t.account_id = account.id and t.expires_at > clock_timestamp())`.as(
        'sessions',
      ),
      sql<Date | null>`greatest(
        (select max(coalesce(t.last_used_at, t.created_at)) from login_token t where t.account_id = account.id),
        (select max(k.last_used_at) from api_key k where k.account_id = account.id),
        (select max(e.at) from usage_event e where e.account_id = account.id))`.as('last_active_at'),
    ])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!row) throw new ApiError('not_found', { message: 'There is no such account.' })
  const { disabled_at: disabledAt, reserved: reservedCredits, sessions, last_active_at: lastActiveAt } = row
  return { ...toManaged(row), disabledAt, reservedCredits, sessions, lastActiveAt }
}

export interface AddedAccount {
  readonly email: string
  readonly password: string
  readonly name: string
  readonly plan: PlanName
}

/**
 * Creates an account for another user, even if sign-up is closed.
 * @throws ApiError email_taken; server_busy
 */
export async function addAccount(
  db: Kysely<Schema>,
  passwords: Passwords,
  actor: Actor,
  { password, ...account }: AddedAccount,
): Promise<ManagedAccount> {
  const password_hash = await passwords.hash(password)
  return db.transaction().execute(async (tx) => {
    const addedAccount = toManaged(await insertAccount(tx, { ...account, password_hash }))
    await record(tx, actor, 'account_added', addedAccount.id, { email: addedAccount.email, plan: addedAccount.plan })
    return addedAccount
  })
}
