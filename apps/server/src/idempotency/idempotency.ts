import { createHash, randomUUID } from 'node:crypto'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { deleteInSlices } from '../database/delete-in-slices.ts'
import { INSTANCE_LOCK } from '../metering/instance.ts'

export interface Answered extends Answer {
  /** Whether it is the answer of an earlier request. */
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
): Promise<Answered> {
  const claim = randomUUID()
  const held = await claimKey(pool, request, claim)
  if (held.verdict === 'replay') return { ...held.answer, replayed: true }
  if (held.verdict === 'other_request') throw new ApiError('idempotency_key_reused')
  if (held.verdict === 'running') {
    const message = 'The first request with this Idempotency-Key is still in progress; try again as Retry-After says.'
    throw new ApiError('idempotency_key_reused', { message, retryAfterSeconds: RETRY_SECONDS })
  }
  let answer: Answer | undefined
  try {
    answer = await work()
    return { ...answer, replayed: false }
  } finally {
    await (answer && answer.status < 300 ? keepAnswer(pool, claim, answer) : freeKey(pool, claim)).catch(onError)
  }
}

/** A request that may be repeated: its account, route, key and fingerprint. */
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

/** A server that hangs holds the key this long, one that dies 5 s; no idempotent work takes half of it. */
const LEASE = '10 minutes'
const KEPT = '24 hours'

type Verdict = { readonly verdict: 'run' | 'running' | 'other_request' } | { readonly verdict: 'replay'; readonly answer: Answer }

interface ClaimRow {
  readonly verdict: Verdict['verdict']
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** Decides in one round trip which caller does the work; `claim` is new for each caller. */
async function claimKey(pool: pg.Pool, request: RepeatableRequest, claim: string): Promise<Verdict> {
  const { accountId, route, key, fingerprint, server } = request
  const { rows } = await pool.query<ClaimRow>('select * from claim_idempotency_key($1, $2, $3, $4, $5, $6, $7, $8)', [
    ...[accountId, route, key, fingerprint, claim, LEASE, server, INSTANCE_LOCK],
  ])
  const [row] = rows
  if (!row) throw new Error('claim_idempotency_key() returned no row')
  const { verdict, ...answer } = row
  return verdict === 'replay' ? { verdict, answer } : { verdict }
}

async function keepAnswer(pool: pg.Pool, claim: string, { status, headers, body }: Answer): Promise<void> {
  await pool.query(
    `update idempotent_request set status = $2, headers = $3, body = $4, expires_at = clock_timestamp() + $5::interval
      where claim = $1`,
    [claim, status, JSON.stringify(headers), typeof body === 'string' ? Buffer.from(body) : body, KEPT],
  )
}

async function freeKey(pool: pg.Pool, claim: string): Promise<void> {
  await pool.query('delete from idempotent_request where claim = $1', [claim])
}

/** Deletes answers older than 24 hours; returns how many. */
export const forgetOldRequests = (pool: pg.Pool): Promise<number> =>
  deleteInSlices(pool, 'idempotent_request', 'expires_at <= now()')

/** A file of a form: its chunks, or the SHA-256 computed while it was streamed. */
export type FingerprintedFile = { readonly chunks: readonly Buffer[] } | { readonly sha256: string }

/** Everything that determines the effect of a request. */
interface FingerprintedRequest {
  readonly method: string
  /** With the query. */
  readonly url: string
  /** The parsed JSON body: its fields are in the order of the schema, without ignored ones. */
  readonly body: unknown
  readonly fields: ReadonlyMap<string, readonly string[]>
  readonly files: ReadonlyMap<string, FingerprintedFile>
}

/** SHA-256 of a request, independent of the form's boundary and the order of its parts. */
export function fingerprint({ method, url, body, fields, files }: FingerprintedRequest): Buffer {
  const digests = [...files].map(([name, file]) => [name, 'sha256' in file ? file.sha256 : digest(file.chunks)])
  const parts = [method, url, body ?? null, byName([...fields]), byName(digests)]
  return createHash('sha256').update(JSON.stringify(parts)).digest()
}

const byName = <Value>(entries: readonly Value[]): readonly Value[] =>
  entries.toSorted((one, other) => (String(one) < String(other) ? -1 : 1))

function digest(chunks: readonly Buffer[]): string {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

export const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** Printable ASCII, at most 255 characters, as at Stripe; a UUID is the usual choice. */
const KEY = /^[\x20-\x7e]{1,255}$/

/** @throws ApiError invalid_params for a malformed key */
export function parseIdempotencyKey(header: string | undefined): string | undefined {
  if (header === undefined || KEY.test(header)) return header
  throw invalidParam(IDEMPOTENCY_KEY, 'invalid_format', 'Must be 1 to 255 printable ASCII characters.')
}
