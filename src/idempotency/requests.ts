import type pg from 'pg'
import { deleteInSlices } from '../database/delete-in-slices.ts'
import { PRESENCE_LOCK } from '../metering/presence.ts'

/** A request that may be sent again: whose, to which route, under which key, and what it asks for. */
export interface RepeatableRequest {
  readonly accountId: string
  readonly route: string
  readonly key: string
  readonly fingerprint: Buffer
  /** The number of the server that was asked. */
  readonly server: number
}

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | string
}

/** A server that hangs at work holds the key this long, one that dies 5 s; no work under a key takes half of it. */
const LEASE = '2 minutes'
const KEPT = '24 hours'

type Verdict = { readonly verdict: 'run' | 'running' | 'other_request' } | { readonly verdict: 'replay'; readonly answer: Answer }

interface ClaimRow {
  readonly verdict: Verdict['verdict']
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** One round trip decides who may work; `claim` is new for each caller. */
export async function claimKey(pool: pg.Pool, request: RepeatableRequest, claim: string): Promise<Verdict> {
  const { accountId, route, key, fingerprint, server } = request
  const { rows } = await pool.query<ClaimRow>('select * from claim_idempotency_key($1, $2, $3, $4, $5, $6, $7, $8)', [
    ...[accountId, route, key, fingerprint, claim, LEASE, server, PRESENCE_LOCK],
  ])
  const [row] = rows
  if (!row) throw new Error('claim_idempotency_key() returned no row')
  const { verdict, ...answer } = row
  return verdict === 'replay' ? { verdict, answer } : { verdict }
}

export async function keepAnswer(pool: pg.Pool, claim: string, { status, headers, body }: Answer): Promise<void> {
  await pool.query(
    `update idempotent_request set status = $2, headers = $3, body = $4, expires_at = clock_timestamp() + $5::interval
      where claim = $1`,
    [claim, status, JSON.stringify(headers), typeof body === 'string' ? Buffer.from(body) : body, KEPT],
  )
}

export async function freeKey(pool: pg.Pool, claim: string): Promise<void> {
  await pool.query('delete from idempotent_request where claim = $1', [claim])
}

/** Forgets answers older than 24 hours; returns how many. */
export const forgetOldRequests = (pool: pg.Pool): Promise<number> =>
  deleteInSlices(pool, 'idempotent_request', 'expires_at <= now()')
