import { type Kysely, sql } from 'kysely'
import { z } from 'zod'
import { pageOf, readCursor } from '../contract/cursor.ts'
import type { Schema } from '../database/schema.ts'
import { MANAGED_COLUMNS, type ManagedAccount, toManaged } from './managed-account.ts'

export interface AccountsPage {
  readonly data: readonly ManagedAccount[]
  readonly nextCursor: string | null
}

/** Microseconds, as the database has them: a Date has no more than thousandths, and rows of one would be lost. */
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
  const found = await rows
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const { data, nextCursor } = pageOf(found, limit, ({ created_micros, id }) => [created_micros, id])
  return { data: data.map(toManaged), nextCursor }
}

/**
 * A regular expression for this very text, in either case. Not ILIKE: the database's own idea of case depends on its
 * locale, and the embedded one knows ASCII only.
 */
function anyCase(text: string): string {
  return [...text.normalize('NFC')].map((letter) => `[${[...variants(letter)].map(literal).join('')}]`).join('')
}

const variants = (letter: string): ReadonlySet<string> =>
  // One code point each: the capital of ß has two.
  new Set([letter, letter.toLowerCase(), letter.toUpperCase()].filter((variant) => [...variant].length === 1))

/** In brackets a backslash before what is neither letter nor digit makes it stand for itself. */
const literal = (letter: string): string => (/[\p{L}\p{N}]/u.test(letter) ? letter : `\\${letter}`)
