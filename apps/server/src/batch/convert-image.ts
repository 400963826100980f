import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { PoolClosed } from '@pixelmill/engine/rendering/pool'
import { giveBackOwnMemory } from '@pixelmill/engine/rendering/protocol'
import { rendererCrashed } from '@pixelmill/engine/rendering/renderer-process'
import { featuresOf, type WrittenImage } from '@pixelmill/engine/tasks/task'
import { withRootSpan } from '@pixelmill/engine/tracing'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import { isMarked } from '../blobs/own-store.ts'
import { ApiError, isRefusal, type Refusal } from '../contract/api-error.ts'
import { type ClaimedImage, partKey } from './batch.ts'
import type { Converted, ItemResult, NotConverted } from './claim-images.ts'
import type { Uploads } from './open-uploads.ts'
import type { ResultRecorder } from './record-results.ts'
import { type Converter, renderImage } from './render-image.ts'
import { isStorageError, type StoragePause } from './storage-pause.ts'

export interface Handler extends Converter {
  readonly uploads: Uploads
  readonly recorder: ResultRecorder
  readonly pause: StoragePause
  /** The upload of a batch no longer exists. */
  onLostUpload(batchId: string): Promise<void>
  /** A result that was accepted, or a crash that will be retried. */
  onResult(result: ItemResult): void
  /** A result was not accepted: the claim was lost, or the batch was cancelled. */
  onRefused(): void
  /** An error that is caused neither by the image nor by the store. */
  onFault(error: unknown): void
}

interface Handled {
  /** The image no longer needs a renderer. */
  onRendered(): void
  /** The image is stored or has failed: only its result has to be written. */
  onConverted(): void
}

/**
 * Converts a claimed image, stores the result and records it in the database, or releases the claim. Rejects if the database
 * accepts neither.
 */
export async function convertImage(
  handler: Handler,
  item: ClaimedImage,
  signal: AbortSignal,
  { onRendered, onConverted }: Handled,
): Promise<void> {
  const { batchId, seq, attempt } = item
  const facts = { 'pixelmill.batch.id': batchId, 'pixelmill.batch.image': seq, 'pixelmill.attempt': attempt }
  await withRootSpan('batch image', facts, async (span) => {
    const result = await convert(handler, item, signal, onRendered).finally(onConverted)
    span?.setAttributes({ 'pixelmill.outcome': result?.state ?? 'handed back' })
    await (result ? write(handler, item, result) : handler.recorder.release(item))
  })
}

async function write(handler: Handler, item: ClaimedImage, result: ItemResult): Promise<void> {
  const isAccepted = await handler.recorder.write(result)
  if (isAccepted || result.state === 'crashed') {
    handler.onResult(result)
    return
  }
  handler.onRefused()
  // No row refers to the stored image.
  if (result.state === 'converted') await handler.blobs.delete(partKey(item)).catch(handler.pause.begin)
}

/** Undefined if the claim has to be released. */
async function convert(
  handler: Handler,
  item: ClaimedImage,
  signal: AbortSignal,
  onRendered: () => void,
): Promise<ItemResult | undefined> {
  const began = performance.now()
  const withDuration = <Result extends object>(result: Result) => ({ ...result, durationMs: performance.now() - began })
  try {
    const image = await handler.uploads
      .use(item.batchId, (upload) => renderImage(handler, upload, item, signal))
      .finally(onRendered)
    const result = await storeImage(handler, item, image, signal)
    handler.pause.end()
    return withDuration(result)
  } catch (error) {
    if (signal.aborted || error instanceof PoolClosed) return undefined
    if (isRefusal(error)) return withDuration(notConverted(item, error))
    if (error instanceof BlobNotFound) return lostUpload(handler, item, error)
    if (isStorageError(error)) {
      handler.pause.begin(error)
      return undefined
    }
    handler.onFault(error)
    // Counted as a crash, so that the retries are limited.
    return withDuration({ ...notConverted(item, new ApiError('conversion_failed')), state: 'crashed' as const })
  }
}

/** If the store's marker is missing too, it is the wrong store, such as a disk that is not mounted; then nothing is lost. */
async function lostUpload(
  { blobs, pause, onLostUpload }: Handler,
  { batchId }: ClaimedImage,
  error: BlobNotFound,
): Promise<undefined> {
  try {
    if (await isMarked(blobs)) await onLostUpload(batchId)
    else pause.begin(error)
  } catch (failure) {
    pause.begin(failure)
  }
}

/** Stores a converted image under a key that is unique to this claim. @throws StorageFull, StorageUnavailable */
async function storeImage(
  { blobs }: Converter,
  item: ClaimedImage,
  image: WrittenImage,
  signal: AbortSignal,
): Promise<Omit<Converted, 'durationMs'>> {
  const { batchId, seq, attempt, entry } = item
  const { bytes, codec, width, height } = image
  const features = featuresOf(image)
  const sizeAndChecksum = { outputBytes: bytes.length, crc32: crc32(bytes) }
  await blobs.put(partKey(item), Readable.from([bytes]), { contentType: codec.mime, signal })
  giveBackOwnMemory([bytes])
  return {
    batchId,
    seq,
    attempt,
    state: 'converted',
    inputBytes: entry.bytes,
    ...sizeAndChecksum,
    width,
    height,
    features: Object.keys(features).length > 0 ? features : null,
  }
}

/** The result of an image that could not be converted, with the endpoint's error code and message. */
function notConverted(item: ClaimedImage, error: Refusal): Omit<NotConverted, 'durationMs'> {
  const { batchId, seq, attempt, entry } = item
  const state = rendererCrashed(error) ? 'crashed' : 'failed'
  return { batchId, seq, attempt, state, inputBytes: entry.bytes, error: { code: error.code, message: error.message } }
}
