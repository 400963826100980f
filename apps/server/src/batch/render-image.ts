import { acceptedFormat } from '@pixelmill/codecs'
import type { Codec } from '@pixelmill/codecs/codec'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { giveBackOwnMemory } from '@pixelmill/engine/rendering/protocol'
import { operations } from '@pixelmill/engine/tasks/index'
import { type WrittenImage, writtenImage, writtenImages } from '@pixelmill/engine/tasks/task'
import type { BlobStore } from 'pixelmill/bucket/blob-store'
import { readEntry } from '../archives/read-entry.ts'
import type { ArchiveSource } from '../archives/source.ts'
import { ApiError } from '../contract/api-error.ts'
import type { ClaimedImage } from './batch.ts'
import { keptCodec } from './choose-images.ts'

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
export async function renderImage(
  { pool, heic }: Converter,
  upload: ArchiveSource,
  item: ClaimedImage,
  signal: AbortSignal,
): Promise<WrittenImage> {
  const { entry, seq, recipe } = item
  if (entry.bytes === 0) throw new ApiError('invalid_image', { message: 'The file is empty.' })
  const chunks = await readEntry(upload, entry, limits.uploadBytes)
  const source = acceptedFormat(chunks, heic)
  if (!source) throw new ApiError('invalid_image_type')
  const image = recipe
    ? await renderRecipe(oneOutput(recipe, seq, source), chunks, pool, signal)
    : writtenImage(await convertOrOptimize(item, source, pool, [chunks], signal))
  // A renderer that has answered has read them.
  giveBackOwnMemory(chunks)
  return image
}

async function renderRecipe(
  recipe: Recipe,
  chunks: readonly Buffer[],
  pool: Converter['pool'],
  signal: AbortSignal,
): Promise<WrittenImage> {
  const params = { recipe, files: [], accepts: [], allows: [] }
  const [image] = writtenImages(await pool.run('recipe', params, [chunks], signal, 'background'))
  if (!image) throw new Error('a recipe made no image')
  return image
}

/** Without a recipe: what the batch asks of each of its images. */
function convertOrOptimize(
  { format, quality, visualQuality, maxBytes }: ClaimedImage,
  source: Codec,
  pool: Converter['pool'],
  files: readonly (readonly Buffer[])[],
  signal: AbortSignal,
) {
  const goals = {
    ...(quality !== null && { quality }),
    ...(visualQuality !== null && { visualQuality }),
    ...(maxBytes !== null && { maxBytes }),
  }
  const resultCodec = keptCodec(source)
  if (format === 'same' && source === resultCodec)
    return pool.run('optimize', operations.optimize.params.parse(goals), files, signal, 'background')
  const params = operations.convert.params.parse({ format: format === 'same' ? resultCodec.name : format, ...goals })
  return pool.run('convert', params, files, signal, 'background')
}

/** The recipe of the item's output alone. Its format is the one that the result's path has. */
function oneOutput({ steps, outputs }: Recipe, seq: number, source: Codec): Recipe {
  const output = outputs[seq % outputs.length]
  if (!output) throw new Error('a recipe has no outputs')
  const isKept = output.format === 'same' || output.format === 'auto'
  return { steps, outputs: [isKept && source !== keptCodec(source) ? { ...output, format: 'jpeg' } : output] }
}
