import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'
import { limits } from '@pixelmill/codecs/contract/limits'
import { disposition } from '@pixelmill/dashboard/web/disposition'
import type { SourceFeatures } from '@pixelmill/engine/tasks/task'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { safeName } from '../archives/paths.ts'
import { type ArchivePlan, fingerprintOf, type PlannedFile, planArchive } from '../archives/plan-archive.ts'
import { readPlan } from '../archives/read-plan.ts'
import type { ItemStatus } from '../contract/batch-status.ts'
import { type Batch, type BatchItem, outputName, partKey } from './batch.ts'
import { MANIFEST } from './choose-images.ts'

/** One line of the manifest: docs/batch.md. */
interface ManifestEntry extends SourceFeatures {
  readonly source: string
  readonly output: string | null
  readonly outputName?: string
  readonly status: ItemStatus
  readonly inputBytes: number | null
  readonly outputBytes: number | null
  readonly width: number | null
  readonly height: number | null
  readonly error?: { readonly code: string; readonly message: string }
}

/** The ZIP of a completed batch. It is never stored: its bytes are computed from the items, and the images are streamed from the store. */
export interface ResultArchive {
  readonly size: number
  /** In double quotes, as HTTP sends it. */
  readonly etag: string
  /** `first` and `last` are inclusive. @throws what the store throws; later errors are the stream's */
  read(blobs: Pick<BlobStore, 'get'>, range: { readonly first: number; readonly last: number }): Promise<Readable>
}

export function resultArchive(batch: Batch, items: readonly BatchItem[]): ResultArchive {
  const { id, finishedAt, createdAt } = batch
  const manifest = Buffer.from(
    `${JSON.stringify(
      items.map((item) => manifestEntry(batch, item)),
      null,
      1,
    )}\n`,
  )
  const plan: ArchivePlan<string> = planArchive<string>(
    [
      { path: MANIFEST, content: manifest, bytes: manifest.length, crc32: crc32(manifest) },
      ...items.flatMap((item) => fileOf(id, item) ?? []),
    ],
    finishedAt ?? createdAt,
  )
  return {
    size: plan.size,
    etag: `"${fingerprintOf(plan)}"`,
    read: (blobs, range) =>
      readPlan(plan, range, async (key, first, bytes) => {
        const { stream } = await blobs.get(key, { range: { first, last: first + bytes - 1 } })
        return await buffer(stream)
      }),
  }
}

function fileOf(batchId: string, { seq, attempt, output, outputBytes, crc32 }: BatchItem): PlannedFile<string> | undefined {
  if (output === null || outputBytes === null || crc32 === null) return undefined
  return { path: output, content: partKey({ batchId, seq, attempt }), bytes: outputBytes, crc32 }
}

function manifestEntry(batch: Batch, { seq, source, output, state, features, error, ...sizes }: BatchItem): ManifestEntry {
  if (state === 'pending' || state === 'claimed') throw new Error(`${source} is not finished, but its batch is`)
  const { inputBytes, outputBytes, width, height } = sizes
  const name = state === 'skipped' ? undefined : outputName(batch, seq)
  return {
    source,
    output,
    ...(name !== undefined && { outputName: name }),
    status: state,
    inputBytes,
    outputBytes,
    width,
    height,
    ...features,
    ...(error && { error }),
  }
}

/** Limits concurrent downloads of an account from this process, since each holds buffers while its client reads. */
export interface OpenDownloads {
  /** Returns a function that ends it, to be called once; undefined if the account has too many already. */
  begin(accountId: string): (() => void) | undefined
  /** Over all accounts. */
  count(): number
}

export function openDownloads(most: number = limits.openDownloads): OpenDownloads {
  const open = new Map<string, number>()
  function change(accountId: string, by: 1 | -1): void {
    const count = (open.get(accountId) ?? 0) + by
    if (count > 0) open.set(accountId, count)
    else open.delete(accountId)
  }
  return {
    begin(accountId) {
      if ((open.get(accountId) ?? 0) >= most) return undefined
      change(accountId, 1)
      return () => change(accountId, -1)
    },
    count: () => [...open.values()].reduce((sum, each) => sum + each, 0),
  }
}

/** The Content-Disposition of a batch's result. A name that is not ASCII goes into `filename*` (RFC 6266, §4.3). */
export function resultDisposition({ id, name }: Pick<Batch, 'id' | 'name'>): string {
  const file = `${name === null ? id : safeName(name)}.zip`
  return disposition('attachment', file)
}
