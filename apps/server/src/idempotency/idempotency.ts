import { randomUUID } from 'node:crypto'
import { limits } from '@pixelmill/codecs/contract/limits'
import type pg from 'pg'
import { ApiError } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import { deleteInSlices } from '../database/delete-in-slices.ts'
import { INSTANCE_LOCK } from '../metering/instance.ts'

/** A request that may be repeated. */
export interface RepeatableRequest {
  readonly accountId: string
  readonly route: string
  readonly key: string
  readonly fingerprint: Buffer
  /** The number of the server that runs it. */
  readonly server: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** An answer, and whether it is that of an earlier request. */
export interface FirstOrRepeatedAnswer extends Answer {
  readonly replayed: boolean
}

/** Seconds after which a client that repeated too early may retry. */
const RETRY_SECONDS = 1

/**
 * Does the work unless the same request was answered within the last 24 hours: then returns that answer. Only successes are
 * stored, so that a key can be used again after an error. `onError` gets the error of an answer that could not be stored, or a
 * key that could not be released: the caller gets its answer anyway, and the key is free when its lease ends.
 * @throws ApiError idempotency_key_reused for another request with the key, or while the first is still running; what `work`
 * throws
 */
export async function answerOnce(
  { pool }: Pick<Database, 'pool'>,
  request: RepeatableRequest,
  work: () => Promise<Answer>,
  onError: (error: unknown) => void,
): Promise<FirstOrRepeatedAnswer> {
  const claim = randomUUID()
  const row = await claimKey(pool, request, claim)
  switch (row.verdict) {
    case 'replay':
      return { status: row.status, headers: row.headers, body: row.body, replayed: true }
    case 'other_request':
      throw new ApiError('idempotency_key_reused')
    case 'running':
      throw stillRunning()
    case 'run':
      return { ...(await workAndKeep(pool, claim, work, onError)), replayed: false }
  }
}

const stillRunning = (): ApiError =>
  new ApiError('idempotency_key_reused', {
    message: 'The first request with this Idempotency-Key is still in progress; try again as Retry-After says.',
    retryAfterSeconds: RETRY_SECONDS,
  })

async function workAndKeep(
  pool: pg.Pool,
  claim: string,
  work: () => Promise<Answer>,
  onError: (error: unknown) => void,
): Promise<Answer> {
  let answer: Answer | undefined
  try {
    answer = await work()
    return answer
  } finally {
    const end = answer && answer.status < 300 ? keepAnswer(pool, claim, answer) : freeKey(pool, claim)
    await end.catch(onError)
  }
}

/** A server that hangs holds the key for the lease, one that dies for a few seconds; no idempotent work takes half of the lease. */
const { leaseSeconds, answerSeconds } = limits.idempotency

const CLAIM = `select * from claim_idempotency_key(
  $1, $2, $3, $4, $5, make_interval(secs => $6), $7, $8, make_interval(secs => $9))`

type ClaimRow = { readonly verdict: 'run' | 'running' | 'other_request' } | ({ readonly verdict: 'replay' } & Answer)

/** Decides in one round trip which caller does the work; `claim` is new for each caller. */
async function claimKey(pool: pg.Pool, request: RepeatableRequest, claim: string): Promise<ClaimRow> {
  const { accountId, route, key, fingerprint, server } = request
  const { rows } = await pool.query<ClaimRow>(CLAIM, [
    accountId,
    route,
    key,
    fingerprint,
    claim,
    leaseSeconds,
    server,
    INSTANCE_LOCK,
    limits.reconnectSeconds,
  ])
  const [row] = rows
  if (!row) throw new Error('claim_idempotency_key() returned no row')
  return row
}

async function keepAnswer(pool: pg.Pool, claim: string, { status, headers, body }: Answer): Promise<void> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  await pool.query(
    `update idempotent_request set status = $2, headers = $3, body = $4, expires_at = clock_timestamp() + make_interval(secs => $5)
      where claim = $1`,
    [claim, status, JSON.stringify(headers), bytes, answerSeconds],
  )
}

async function freeKey(pool: pg.Pool, claim: string): Promise<void> {
  await pool.query('delete from idempotent_request where claim = $1', [claim])
}

/** Deletes answers whose life has ended; returns how many. */
export const forgetOldRequests = (pool: pg.Pool): Promise<number> =>
  deleteInSlices(pool, 'idempotent_request', 'expires_at <= now()')
