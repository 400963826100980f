import { BlobNotFound } from '../blobs/blob-errors.ts'
import { isMarked } from '../blobs/own-store.ts'
import { ApiError } from '../contract/api-error.ts'
import { PoolClosed } from '../rendering/pool.ts'
import { tracedRoot } from '../tracing/tracing.ts'
import type { ClaimedItem } from './batch.ts'
import { partKey } from './blob-keys.ts'
import type { Books } from './books.ts'
import type { ItemResult } from './claims.ts'
import { type Converter, notConverted, renderItem, storeItem } from './convert-item.ts'
import { isStorageError, type StoragePause } from './storage-pause.ts'
import type { Uploads } from './uploads.ts'

export interface Handler extends Converter {
  readonly uploads: Uploads
  readonly books: Books
  readonly pause: StoragePause
  /** The upload of a batch is not there any more. */
  onLostUpload(batchId: string): Promise<void>
  /** A result that counts, or a crash that will be tried again. */
  onResult(result: ItemResult): void
  /** An error that is neither the image's nor the store's. */
  onFault(error: unknown): void
}

export interface Handled {
  /** No longer in need of a renderer: the next may be claimed. */
  onRendered(): void
}

/** Takes one image from its claim to a result that is written, or hands it back. Rejects when the database hears of neither. */
export async function handleItem(
  handler: Handler,
  item: ClaimedItem,
  signal: AbortSignal,
  { onRendered }: Handled,
): Promise<void> {
  const { batchId, seq, attempt } = item
  const facts = { 'pixelmill.batch.id': batchId, 'pixelmill.batch.image': seq, 'pixelmill.attempt': attempt }
  await tracedRoot('batch image', facts, async (span) => {
    const result = await convert(handler, item, signal, onRendered)
    span?.set({ 'pixelmill.outcome': result?.state ?? 'handed back' })
    await (result ? write(handler, item, result) : handler.books.handBack(item))
  })
}

async function write(handler: Handler, item: ClaimedItem, result: ItemResult): Promise<void> {
  const counts = await handler.books.write(result)
  if (counts || result.state === 'crashed') handler.onResult(result)
  // The claim was lost meanwhile, or the batch cancelled: nobody knows of this part.
  if (result.state === 'converted' && !counts) await handler.blobs.delete(partKey(item)).catch(handler.pause.begin)
}

/** Undefined when it has to be handed back. */
async function convert(
  handler: Handler,
  item: ClaimedItem,
  signal: AbortSignal,
  onRendered: () => void,
): Promise<ItemResult | undefined> {
  const began = performance.now()
  const timed = <Result extends object>(result: Result) => ({ ...result, durationMs: performance.now() - began })
  try {
    const rendered = await handler.uploads
      .use(item.batchId, (upload) => renderItem(handler, upload, item, signal))
      .finally(onRendered)
    const stored = await storeItem(handler, item, rendered, signal)
    handler.pause.end()
    return timed(stored)
  } catch (error) {
    if (signal.aborted || error instanceof PoolClosed) return undefined
    if (error instanceof ApiError) return timed(notConverted(item, error))
    if (error instanceof BlobNotFound) return lostUpload(handler, item, error)
    if (isStorageError(error)) {
      handler.pause.begin(error)
      return undefined
    }
    handler.onFault(error)
    // Tried again as if a renderer had crashed, which is not for ever.
    return timed({ ...notConverted(item, new ApiError('conversion_failed')), state: 'crashed' as const })
  }
}

/** A store that has lost its mark as well is not the one that we know: a disk that is not mounted, for one. */
async function lostUpload(
  { blobs, pause, onLostUpload }: Handler,
  { batchId }: ClaimedItem,
  error: BlobNotFound,
): Promise<undefined> {
  try {
    if (await isMarked(blobs)) await onLostUpload(batchId)
    else pause.begin(error)
  } catch (trouble) {
    pause.begin(trouble)
  }
}
