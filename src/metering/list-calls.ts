import type pg from 'pg'
import { z } from 'zod'
import { pageOf, readCursor } from '../contract/cursor.ts'
import { CALL_COLUMNS, type CallRow, type ListedCall, toListedCall } from './listed-call.ts'

/** Microseconds, as a Date has thousandths only, and rows of one would be lost between two pages. */
const listOf = (which: string) => `
  select ${CALL_COLUMNS}, (extract(epoch from e.at) * 1000000)::bigint as "atMicros"
    from usage_event e
   where e.account_id = $1 and ${which}
     and ($2::bigint is null or (e.at, e.id) < (timestamptz 'epoch' + $2 * interval '1 microsecond', $3::uuid))
   order by e.at desc, e.id desc limit $4`

/** Two statements: an index of failures is used only where the text says that they are what is wanted. */
const statements = { all: listOf('true'), failed: listOf('e.status >= 400') } as const

const place = z.tuple([z.int().min(0), z.uuid()])

export interface CallsWanted {
  readonly only: 'failed' | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

/**
 * Calls of an account, newest first, some 100 ms behind.
 * @throws ApiError invalid_params for a cursor that is none
 */
export async function listCalls(pool: pg.Pool, account: string, { only, cursor, limit }: CallsWanted) {
  const [micros = null, id = null] = readCursor(place, cursor) ?? []
  const statement = statements[only ?? 'all']
  const { rows } = await pool.query<CallRow & { readonly atMicros: number }>(statement, [account, micros, id, limit + 1])
  const { data, nextCursor } = pageOf(rows, limit, (row) => [row.atMicros, row.id])
  return { data: data.map(({ atMicros, ...row }): ListedCall => toListedCall(row)), nextCursor }
}
