import type pg from 'pg'
import { z } from 'zod'
import { pageOf, readCursor } from '../contract/cursor.ts'
import { errors } from '../contract/errors.ts'
import type { AiUse } from './usage-log.ts'

/** Of `usage_event e`. */
export const CALL_COLUMNS = `
  e.id, e.endpoint, e.status, e.status_message as "statusMessage", (select k.name from api_key k where k.id = e.key_id) as key,
  e.input_bytes as "inputBytes", e.output_bytes as "outputBytes", e.duration_ms as "durationMs", e.at,
  case when e.provider is not null then json_strip_nulls(json_build_object('provider', e.provider, 'model', e.model, 'images', e.images,
    'inputTokens', e.input_tokens, 'outputTokens', e.output_tokens, 'cost', e.cost)) end as ai`

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

/** One call, successful or not, as its account's owner sees it. */
export interface ListedCall {
  readonly id: string
  readonly endpoint: string
  readonly status: number
  /** The error's identifier; absent on success. */
  readonly statusMessage?: string
  /** What the identifier means, for people. */
  readonly message?: string
  /** The name of the key that it was made with; absent where somebody was signed in. */
  readonly key?: string
  readonly inputBytes: number
  readonly outputBytes: number
  readonly durationMs: number
  readonly at: Date
  /** What an AI request has spent; absent where it did not come to a model. */
  readonly ai?: ListedAi
}

export interface ListedAi extends Omit<AiUse, 'questions'> {
  /** US dollars, where the operator's model was asked and has prices. */
  readonly cost?: number
}

/** Null is what is absent. */
export type CallRow = Omit<ListedCall, 'statusMessage' | 'message' | 'key' | 'ai'> & {
  readonly statusMessage: string | null
  readonly key: string | null
  readonly ai: ListedAi | null
}

const messageOf = (code: string): string | undefined => (code in errors ? errors[code as keyof typeof errors].message : undefined)

export function toListedCall({ statusMessage, key, ai, ...call }: CallRow): ListedCall {
  const message = statusMessage === null ? undefined : messageOf(statusMessage)
  return {
    ...call,
    ...(statusMessage !== null && { statusMessage }),
    ...(message !== undefined && { message }),
    ...(key !== null && { key }),
    ...(ai && { ai }),
  }
}
