import { limits } from '@pixelmill/codecs/contract/limits'
import type { SourceFeatures } from '@pixelmill/engine/tasks/task'
import type pg from 'pg'
import type { ArchiveEntry } from '../archives/inspect.ts'
import { type ErrorName, errors } from '../contract/errors.ts'
import { INSTANCE_LOCK, type Instance } from '../metering/instance.ts'
import { type ClaimedImage, type ClaimKey, storedRecipe } from './batch.ts'

export interface Converted extends ClaimKey {
  readonly state: 'converted'
  readonly inputBytes: number
  readonly outputBytes: number
  readonly crc32: number
  /** Of the result, in pixels. */
  readonly width: number
  readonly height: number
  readonly features: SourceFeatures | null
  readonly durationMs: number
}

/** `crashed` means that the renderer ended: the image is tried three times before it fails with this error. */
export interface NotConverted extends ClaimKey {
  readonly state: 'failed' | 'crashed'
  readonly inputBytes: number
  readonly error: { readonly code: ErrorName; readonly message: string }
  readonly durationMs: number
}

export type ItemResult = Converted | NotConverted

export interface Finished {
  /** The results that were accepted. The worker deletes the stored images of all others. */
  readonly accepted: readonly ClaimKey[]
  /** Batches that ended with these results: there may be an event to deliver, and there are files to remove. */
  readonly endedBatches: readonly string[]
}

const { leaseSeconds, crashes, lostWorkers, resultSeconds } = limits.batches

/** What the functions of the database are told: limits, and what they write into rows that people read. */
const batchRules = JSON.stringify({
  endpoint: '/api/v2/batch',
  noneConverted: 'None of the images could be converted; of the first: ',
  lost: 'The image could not be processed: five workers were lost with it.',
  crashes,
  lostWorkers,
  resultSeconds,
  reconnectSeconds: limits.reconnectSeconds,
})

const statements = {
  return_lost_items: 'select return_lost_items($1, $2, $3)',
  look_for_lost_items: "select look_for_lost_items($1, $2, $3 * interval '1 millisecond', $4)",
  claim_images: `
    select batch_id as "batchId", account_id as "accountId", key_id as "keyId", format, quality, visual_quality as "visualQuality",
           max_bytes as "maxBytes", recipe, pending, images
      from claim_images($1, $2, $3, $4, $5)`,
  renew_batch_leases: 'select batch_id as "batchId", seq, attempt from renew_batch_leases($1, $2, $3)',
  release_batch_items: 'select release_batch_items($1, $2, $3) as released',
  has_pending_items: 'select exists (select from batch where finished_at is null and pending > 0) as pending',
  finish_batch_items: 'select batch_id as "batchId", seq, attempt, ended from finish_batch_items($1, $2, $3)',
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

/** The server process that claims. */
export type Claimant = Pick<Instance, 'server' | 'held'>

/** Other workers may take all images that a claim has selected before it locks them; then it selects again. */
const TRIES = 5

export interface ClaimRequest {
  /** 1 to 1,000. */
  readonly most: number
  /** Images that the worker still has to render. */
  readonly unrendered: number
  /** With more than these a worker gets no more than its share of all that is left. */
  readonly few: number
  /** How often all workers together look for images of dead workers; 0 to look now, and null to leave it to others. */
  readonly lookEveryMs: number | null
}

/** Images of a batch that were claimed together. */
export interface Claim {
  readonly images: readonly ClaimedImage[]
  /** How many images the batch has left to claim. */
  readonly pending: number
}

interface ClaimRow extends Omit<ClaimedImage, 'seq' | 'attempt' | 'losses' | 'source' | 'entry'> {
  readonly pending: number
  readonly images: readonly [seq: number, attempt: number, losses: number, source: string, entry: ArchiveEntry][]
}

/**
 * Claims images, in no particular order, under leases of two minutes; none if there is nothing to do, or while other processes cannot
 * see this one. Images of dead workers are returned within 5 s plus `lookEveryMs`, and are claimed apart from others.
 */
export async function claimImages(pool: pg.Pool, { server, held }: Claimant, request: ClaimRequest): Promise<readonly Claim[]> {
  const { lookEveryMs, most, unrendered, few } = request
  if (lookEveryMs === 0) await call(pool, 'return_lost_items', [INSTANCE_LOCK, server, batchRules])
  else if (lookEveryMs !== null) await call(pool, 'look_for_lost_items', [INSTANCE_LOCK, server, lookEveryMs, batchRules])
  if (!held()) return []
  for (let tries = 1; ; tries++) {
    const rows = await call<ClaimRow>(pool, 'claim_images', [server, most, unrendered, few, leaseSeconds])
    // With other images in its hands a worker can wait for its next claim.
    if (rows.length > 0 || tries === TRIES || unrendered > 0) return rows.map(claimOf)
    const [row] = await call<{ pending: boolean }>(pool, 'has_pending_items', [])
    if (!row?.pending) return []
  }
}

function claimOf({ images, pending, ...batch }: ClaimRow): Claim {
  const sharedFields = { ...batch, recipe: storedRecipe(batch.recipe) }
  return {
    pending,
    images: images.map(([seq, attempt, losses, source, entry]) => ({ ...sharedFields, seq, attempt, losses, source, entry })),
  }
}

/** Extends leases to two minutes from now. Returns the claims that still are the server's; results of others are not accepted. */
export async function renewLeases(pool: pg.Pool, server: number, claims: readonly ClaimKey[]): Promise<readonly ClaimKey[]> {
  return call(pool, 'renew_batch_leases', [server, keysOf(claims), leaseSeconds])
}

/** Gives claims back, as if they had not been made; other workers can claim the images at once. Returns how many were released. */
export async function releaseClaims(pool: pg.Pool, server: number, claims: readonly ClaimKey[]): Promise<number> {
  const [row] = await call<{ released: number }>(pool, 'release_batch_items', [server, keysOf(claims), batchRules])
  return row?.released ?? 0
}

/**
 * Records results, charges converted images, and ends batches that are complete, in one transaction. May be repeated if the answer
 * was lost: the same results are accepted again, and charged once.
 */
export async function recordResults(pool: pg.Pool, server: number, results: readonly ItemResult[]): Promise<Finished> {
  const rows = await call<ClaimKey & { readonly ended: boolean }>(pool, 'finish_batch_items', [
    server,
    JSON.stringify(results.map(rowOf)),
    batchRules,
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
    const { outputBytes: output_bytes, crc32, width, height, features } = result
    return { ...row, output_bytes, crc32, width, height, features }
  }
  const { code, message } = result.error
  return { ...row, status: errors[code].status, error_code: code, error_message: message }
}
