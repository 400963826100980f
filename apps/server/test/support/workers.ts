import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { until } from '@pixelmill/engine/test/support/until'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { type Batch, type BatchItem, type OutputFormat, partKey, uploadKey } from '../../src/batch/batch.ts'
import type { Claimant, ItemResult } from '../../src/batch/claim-images.ts'
import { createBatch } from '../../src/batch/create-batch.ts'
import { listItems } from '../../src/batch/find-batches.ts'
import { type BatchWorker, startBatchWorker, type WorkerEvents, type WorkerSettings } from '../../src/batch/worker.ts'
import type { Database } from '../../src/database/database.ts'
import { BATCH_LIMITS } from './archives.ts'
import { admitCall, readBatch } from './batches.ts'
import { zipFile } from './zip.ts'

export interface Stores {
  readonly database: Database
  readonly blobs: BlobStore
}

export type Files = Readonly<Record<string, Buffer>>

/** A batch of these files, as if uploaded in an archive. */
export async function uploadBatch(stores: Stores, key: string, files: Files, format: OutputFormat = 'webp'): Promise<Batch> {
  const id = randomUUID()
  const archive = zipFile(Object.entries(files).map(([name, data]) => ({ name, data })))
  await stores.blobs.put(uploadKey(id), Readable.from([archive]), { contentType: 'application/zip' })
  const call = await admitCall(stores.database, key)
  return createBatch(stores, BATCH_LIMITS, { id, bytes: archive.length, call, format, name: null, quality: 75, webhookUrl: null })
}

export interface TestWorker extends BatchWorker {
  /** Its events, in order. */
  readonly events: string[]
  readonly results: ItemResult[]
}

/** A worker in this process; unexpected errors fail the test. */
export function startWorker(
  { database, blobs }: Stores,
  pool: Pool,
  instance: Claimant,
  settings: Partial<WorkerSettings> = {},
  events: Partial<WorkerEvents> = {},
): TestWorker {
  const reports: string[] = []
  const results: ItemResult[] = []
  const noting = (what: string) => ({ onBegin: () => reports.push(`no ${what}`), onEnd: () => reports.push(what) })
  const worker = startBatchWorker(
    { database: database.pool, blobs, pool, instance, renderers: 1, heic: 'on', ...settings },
    {
      onResult: (result) => results.push(result),
      onEnded: () => reports.push('ended'),
      storage: noting('storage'),
      database: noting('database'),
      onFault(error) {
        throw error
      },
      ...events,
    },
  )
  return { poke: () => worker.poke(), close: () => worker.close(), events: reports, results }
}

export const untilEnded = async ({ database }: Stores, { id }: Pick<Batch, 'id'>, ms = 60_000): Promise<Batch> => {
  assert.ok(await until(async () => (await readBatch(database, id)).finishedAt !== null, ms), 'the batch ends')
  return readBatch(database, id)
}

export const itemsOf = ({ database }: Stores, { id }: Pick<Batch, 'id'>): Promise<readonly BatchItem[]> =>
  listItems(database.pool, id)

export const partOf = async ({ blobs }: Stores, batch: Pick<Batch, 'id'>, { seq, attempt }: BatchItem): Promise<Buffer> =>
  buffer((await blobs.get(partKey({ batchId: batch.id, seq, attempt }))).stream)

/** Files of a batch's converted images. */
export const partsIn = async ({ blobs }: Stores, { id }: Pick<Batch, 'id'>): Promise<readonly string[]> =>
  (await blobs.list(`batch/${id}/images/`)).blobs.map(({ key }) => key)
