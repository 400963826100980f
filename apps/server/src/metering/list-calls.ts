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

/** Two statements: PostgreSQL uses the partial index of failures only if the text contains its condition. */
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

/** One call, successful or not, as the owner of its account sees it. */
export interface ListedCall {
  readonly id: string
  readonly endpoint: string
  readonly status: number
  /** The error's identifier; absent on success. */
  readonly statusMessage?: string
  /** The meaning of the identifier, in a sentence. */
  readonly message?: string
  /** The name of its API key; absent for a call with a session. */
  readonly key?: string
  readonly inputBytes: number
  readonly outputBytes: number
  readonly durationMs: number
  readonly at: Date
  /** The usage of an AI request; absent if it did not ask a model. */
  readonly ai?: ListedAi
}

export interface ListedAi extends Omit<AiUse, 'questions'> {
  /** US dollars; for the operator's model, if it has prices. */
  readonly cost?: number
}

/** Null where a value is absent. */
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
