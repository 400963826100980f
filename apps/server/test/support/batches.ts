import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { hashApiKey } from '../../src/accounts/api-keys.ts'
import type { Batch, ClaimedImage } from '../../src/batch/batch.ts'
import { type Claimant, type ClaimRequest, claimImages, type ItemResult } from '../../src/batch/claim-images.ts'
import { insertBatch } from '../../src/batch/create-batch.ts'
import { findBatch } from '../../src/batch/find-batches.ts'
import type { Database } from '../../src/database/database.ts'
import { calls } from '../../src/metering/calls.ts'
import { type MeteredCall, meteredCall } from '../../src/metering/charge-call.ts'

/** An admitted call, as the request that creates a batch has it. */
export async function admitCall({ pool }: Database, key: string, server = 1): Promise<MeteredCall> {
  const charges = calls(pool, { burstPerMinute: 0, server })
  const admittedValue = await charges.admit({ keyHash: hashApiKey(key) })
  assert.ok(admittedValue.verdict === 'ok', admittedValue.verdict)
  return meteredCall(admittedValue, charges)
}

export interface MadeBatch {
  readonly id: string
  readonly call: MeteredCall
}

const entryOf = (index: number) => ({
  index,
  path: `${index}.png`,
  bytes: 10,
  compressedBytes: 10,
  kind: 'file' as const,
  packed: { headerAt: index * 100, endsBefore: index * 100 + 100, method: 0, crc32: 0, rawName: '' },
})

/** A batch with this number of images and no archive. */
export async function makeBatch(
  database: Database,
  key: string,
  images: number,
  givenValue: { readonly webhookUrl?: string } = {},
): Promise<MadeBatch> {
  const call = await admitCall(database, key)
  const id = randomUUID()
  const items = Array.from({ length: images }, (_, seq) => ({
    seq,
    source: `${seq}.png`,
    output: `${seq}.webp`,
    entry: entryOf(seq),
  }))
  const batch = {
    id,
    bytes: 0,
    call,
    format: 'webp' as const,
    name: null,
    quality: 80,
    webhookUrl: givenValue.webhookUrl ?? null,
  }
  try {
    const { remaining } = await insertBatch(database.pool, { batches: 10_000, bytes: 1 }, batch, items)
    call.handOver(remaining)
  } finally {
    await call.giveBack()
  }
  return { id, call }
}

/** Images that a worker claims which has nothing else in hand, after a look for images of dead workers. */
export async function claimItems(
  { pool }: Pick<Database, 'pool'>,
  server: Claimant | number,
  most: number,
  wantedValue: Partial<ClaimRequest> = {},
): Promise<readonly ClaimedImage[]> {
  const claimant = typeof server === 'number' ? { server, held: () => true } : server
  const claims = await claimImages(pool, claimant, { most, unrendered: 0, few: most, lookEveryMs: 0, ...wantedValue })
  return claims.flatMap(({ images }) => images)
}

export const convertedResult = ({ batchId, seq, attempt }: ClaimedImage): ItemResult => ({
  batchId,
  seq,
  attempt,
  state: 'converted',
  inputBytes: 10,
  outputBytes: 5,
  crc32: 4_294_967_295,
  width: 3,
  height: 2,
  features: null,
  durationMs: 7.4,
})

export const notConverted =
  (state: 'failed' | 'crashed') =>
  ({ batchId, seq, attempt }: ClaimedImage): ItemResult => ({
    batchId,
    seq,
    attempt,
    state,
    inputBytes: 10,
    durationMs: 7,
    error: { code: state === 'failed' ? 'invalid_image' : 'conversion_failed', message: `Image ${seq} is no image.` },
  })

export async function readBatch({ pool }: Database, id: string): Promise<Batch> {
  return (await findBatch(pool, null, id)) ?? assert.fail('there is no such batch')
}
