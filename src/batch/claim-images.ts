import type pg from 'pg'
import { type ErrorName, errors } from '../contract/errors.ts'
import { PRESENCE_LOCK, type Presence } from '../metering/presence.ts'
import type { ClaimedItem, ClaimKey } from './batch.ts'

export interface Converted extends ClaimKey {
  readonly state: 'converted'
  readonly inputBytes: number
  readonly outputBytes: number
  readonly crc32: number
  /** Of the result, in pixels. */
  readonly width: number
  readonly height: number
  readonly durationMs: number
}

/** `crashed` is one that ended its renderer: it is tried three times before it has failed, with the error given. */
export interface NotConverted extends ClaimKey {
  readonly state: 'failed' | 'crashed'
  readonly inputBytes: number
  readonly error: { readonly code: ErrorName; readonly message: string }
  readonly durationMs: number
}

export type ItemResult = Converted | NotConverted

export interface Finished {
  /** Those that count. A part whose result is not among them is nobody's: its worker deletes it. */
  readonly accepted: readonly ClaimKey[]
  /** Batches that have no more to do: there may be an event to deliver, and there are files to remove. */
  readonly endedBatches: readonly string[]
}

const statements = {
  return_lost_items: 'select return_lost_items($1, $2)',
  look_for_lost_items: "select look_for_lost_items($1, $2, $3 * interval '1 millisecond')",
  claim_batch_items: `
    select batch_id as "batchId", account_id as "accountId", key_id as "keyId", format, quality, seq, attempt, source, entry
      from claim_batch_items($1, $2)`,
  renew_batch_leases: 'select batch_id as "batchId", seq, attempt from renew_batch_leases($1, $2)',
  release_batch_items: 'select release_batch_items($1, $2) as released',
  has_pending_items: 'select exists (select from batch where finished_at is null and pending > 0) as pending',
  finish_batch_items: 'select batch_id as "batchId", seq, attempt, ended from finish_batch_items($1, $2)',
} as const

async function call<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  name: keyof typeof statements,
  values: readonly unknown[],
): Promise<readonly Row[]> {
  const { rows } = await pool.query<Row>({ name, text: statements[name], values: [...values] })
  return rows
}

const keysOf = (claims: readonly ClaimKey[]) =>
  JSON.stringify(claims.map(({ batchId, seq, attempt }) => ({ batch_id: batchId, seq, attempt })))

/** Who claims, as it is present (`announceServer`). */
export type Claimant = Pick<Presence, 'server' | 'held'>

/** Others may take all of what a claim has chosen, just before it does: then it chooses again. */
const TRIES = 5

/**
 * Up to `most` images (1 to 1,000), in no particular order, for two minutes each unless they are renewed; none when there is
 * nothing to do, or while others cannot see this process. Images of workers that are gone are given out again within 5 s and
 * `lookEveryMs`: within so many milliseconds one look for them is enough, of all workers together; with 0 this one looks.
 */
export async function claimItems(
  pool: pg.Pool,
  { server, held }: Claimant,
  most: number,
  lookEveryMs = 0,
): Promise<readonly ClaimedItem[]> {
  if (lookEveryMs === 0) await call(pool, 'return_lost_items', [PRESENCE_LOCK, server])
  else await call(pool, 'look_for_lost_items', [PRESENCE_LOCK, server, lookEveryMs])
  if (!held()) return []
  for (let tries = 1; ; tries++) {
    const claimed = await call<ClaimedItem>(pool, 'claim_batch_items', [server, most])
    if (claimed.length > 0 || tries === TRIES) return claimed
    const [row] = await call<{ pending: boolean }>(pool, 'has_pending_items', [])
    if (!row?.pending) return []
  }
}

/** Prolongs leases to two minutes from now. Returns those claims that are still the server's: of the others no result counts. */
export async function renewLeases(pool: pg.Pool, server: number, claims: readonly ClaimKey[]): Promise<readonly ClaimKey[]> {
  return call(pool, 'renew_batch_leases', [server, keysOf(claims)])
}

/** Hands claims back, as if they had not been made; another worker can have them at once. Returns how many there were. */
export async function releaseItems(pool: pg.Pool, server: number, claims: readonly ClaimKey[]): Promise<number> {
  const [row] = await call<{ released: number }>(pool, 'release_batch_items', [server, keysOf(claims)])
  return row?.released ?? 0
}

/**
 * Writes results, charges what was converted, and ends batches that have no more to do, all or nothing. May be repeated when
 * its answer was lost: the same results count again, and are charged once.
 */
export async function finishItems(pool: pg.Pool, server: number, results: readonly ItemResult[]): Promise<Finished> {
  const rows = await call<ClaimKey & { readonly ended: boolean }>(pool, 'finish_batch_items', [
    server,
    JSON.stringify(results.map(rowOf)),
  ])
  return {
    accepted: rows.map(({ batchId, seq, attempt }) => ({ batchId, seq, attempt })),
    endedBatches: [...new Set(rows.filter(({ ended }) => ended).map(({ batchId }) => batchId))],
  }
}

function rowOf(result: ItemResult) {
  const { batchId: batch_id, seq, attempt, state, inputBytes: input_bytes } = result
  const row = { batch_id, seq, attempt, state, input_bytes, duration_ms: Math.round(result.durationMs) }
  if (result.state === 'converted') {
    const { outputBytes: output_bytes, crc32, width, height } = result
    return { ...row, output_bytes, crc32, width, height }
  }
  const { code, message } = result.error
  return { ...row, status: errors[code].status, error_code: code, error_message: message }
}
