import { Readable } from 'node:stream'
import { crc32 } from 'node:zlib'
import { acceptedFormat } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import { type Pool, PoolClosed } from '@pixelmill/engine/rendering/pool'
import { rendererCrashed } from '@pixelmill/engine/rendering/renderer-process'
import { operations } from '@pixelmill/engine/tasks/index'
import { featuresOf, type WrittenImage, writtenImage, writtenImages } from '@pixelmill/engine/tasks/recipe'
import { tracedRoot } from '@pixelmill/engine/tracing'
import { BlobNotFound } from 'pixelmill/bucket/blob-errors'
import type { BlobStore, RandomAccess } from 'pixelmill/bucket/blob-store'
import { readEntry } from '../archives/read-entry.ts'
import type { ArchiveSource } from '../archives/source.ts'
import { isMarked } from '../blobs/own-store.ts'
import { type ClaimedImage, partKey, uploadKey } from './batch.ts'
import { kept } from './choose-images.ts'
import type { Converted, ItemResult, NotConverted } from './claim-images.ts'
import type { ResultRecorder } from './record-results.ts'
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
  await tracedRoot('batch image', facts, async (span) => {
    const result = await convert(handler, item, signal, onRendered).finally(onConverted)
    span?.setAttributes({ 'pixelmill.outcome': result?.state ?? 'handed back' })
    await (result ? write(handler, item, result) : handler.recorder.release(item))
  })
}

async function write(handler: Handler, item: ClaimedImage, result: ItemResult): Promise<void> {
  const accepted = await handler.recorder.write(result)
  if (accepted || result.state === 'crashed') handler.onResult(result)
  if (accepted || result.state === 'crashed') return
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
  const timed = <Result extends object>(result: Result) => ({ ...result, durationMs: performance.now() - began })
  try {
    const rendered = await handler.uploads
      .use(item.batchId, (upload) => renderImage(handler, upload, item, signal))
      .finally(onRendered)
    const stored = await storeImage(handler, item, rendered, signal)
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
    // Counted as a crash, so that the retries are limited.
    return timed({ ...notConverted(item, new ApiError('conversion_failed')), state: 'crashed' as const })
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

export interface Converter {
  readonly pool: Pick<Pool, 'run'>
  readonly blobs: BlobStore
  /** Whether HEIC is accepted. */
  readonly heic: 'on' | 'off'
}

/**
 * Does what POST /api/v1/convert does, at background priority.
 * @throws ApiError as that endpoint does; what the store throws; PoolClosed, or the signal's reason
 */
async function renderImage(
  { pool, heic }: Converter,
  upload: ArchiveSource,
  item: ClaimedImage,
  signal: AbortSignal,
): Promise<WrittenImage> {
  const { entry, seq, recipe } = item
  if (entry.bytes === 0) throw new ApiError('invalid_image', { message: 'The file is empty.' })
  const chunks = await readEntry(upload, entry, limits.uploadBytes)
  const codec = acceptedFormat(chunks, heic)
  if (!codec) throw new ApiError('invalid_image_type')
  if (recipe) {
    const params = { recipe: oneOutput(recipe, seq, codec), files: [], accepts: [], allows: [] }
    const [image] = writtenImages(await pool.run('recipe', params, [chunks], signal, 'background'))
    if (!image) throw new Error('a recipe made no image')
    return image
  }
  const { format, quality, visualQuality, maxBytes } = item
  const params = operations.convert.params.parse({
    format,
    ...(quality !== null && { quality }),
    ...(visualQuality !== null && { visualQuality }),
    ...(maxBytes !== null && { maxBytes }),
  })
  return writtenImage(await pool.run('convert', params, [chunks], signal, 'background'))
}

/** The recipe of the item's output alone. Its format is the one that the result's path has. */
function oneOutput({ steps, outputs }: Recipe, seq: number, source: Codec): Recipe {
  const output = outputs[seq % outputs.length]
  if (!output) throw new Error('a recipe has no outputs')
  const isKept = output.format === 'same' || output.format === 'auto'
  return { steps, outputs: [isKept && source !== kept(source) ? { ...output, format: 'jpeg' } : output] }
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
  await blobs.put(partKey(item), Readable.from([bytes]), { contentType: codec.mime, signal })
  return {
    ...{ batchId, seq, attempt, state: 'converted', inputBytes: entry.bytes, outputBytes: bytes.length },
    ...{ crc32: crc32(bytes), width, height, features: Object.keys(features).length > 0 ? features : null },
  }
}

/** The result of an image that could not be converted, with the endpoint's error code and message. */
function notConverted(item: ClaimedImage, error: ApiError): Omit<NotConverted, 'durationMs'> {
  const { batchId, seq, attempt, entry } = item
  const state = rendererCrashed(error) ? 'crashed' : 'failed'
  return { batchId, seq, attempt, state, inputBytes: entry.bytes, error: { code: error.code, message: error.message } }
}

/** The archives of all images in a worker's hands, each opened once. */
export interface Uploads {
  /** Keeps a batch's archive open, once it is, until the returned function is called. */
  keep(batchId: string): () => void
  /** @throws BlobNotFound */
  use<Result>(batchId: string, work: (upload: RandomAccess) => Promise<Result>): Promise<Result>
}

interface Open {
  users: number
  upload?: Promise<RandomAccess>
}

export function openUploads(blobs: BlobStore): Uploads {
  const opened = new Map<string, Open>()

  function enter(batchId: string): Open {
    const open = opened.get(batchId) ?? { users: 0 }
    opened.set(batchId, open)
    open.users++
    return open
  }
  function leave(batchId: string, open: Open): void {
    if (--open.users > 0) return
    opened.delete(batchId)
    // An error on closing does not matter after reading; one on opening was already thrown to the users.
    open.upload?.then((upload) => upload.close()).catch(() => {})
  }
  function uploadOf(batchId: string, open: Open): Promise<RandomAccess> {
    open.upload ??= blobs.openRandom(uploadKey(batchId)).catch((error: unknown) => {
      // The next image tries again.
      delete open.upload
      throw error
    })
    return open.upload
  }
  return {
    keep(batchId) {
      const open = enter(batchId)
      return () => leave(batchId, open)
    },
    async use(batchId, work) {
      const open = enter(batchId)
      try {
        return await work(await uploadOf(batchId, open))
      } finally {
        leave(batchId, open)
      }
    },
  }
}
