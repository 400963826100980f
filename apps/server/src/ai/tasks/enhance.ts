import { acceptedFormat, codecs } from '@pixelmill/codecs'
import { type InlineImage, OutgoingImage } from '@pixelmill/engine/crops/inline-image'
import type { TaskParams, TaskReport } from '@pixelmill/engine/tasks/index'
import { ApiError, isRefusal } from '../../contract/api-error.ts'
import type { Models } from '../../models/models.ts'
import { ModelUnavailable } from '../../models/watched-model.ts'
import { backgroundPool } from '../account-pool.ts'
import type { Ai } from '../ai.ts'
import type { AiRequest } from '../request.ts'

export interface EnhancedImage extends TaskReport<'enhance'> {
  /** If a preview was requested. */
  readonly image?: OutgoingImage
}

interface Dependencies {
  readonly ai: Pick<Ai, 'pool' | 'backgroundQueue' | 'heic'>
  readonly models: Pick<Models, 'upscale'>
}

type Request = Pick<AiRequest, 'account' | 'signal' | 'onFault'>
type Options = TaskParams<'enhance'>

/**
 * Enlarges by the operator's model where one is available; everything else is done by filters.
 * @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts
 */
export async function enhanceImage(
  { ai, models }: Dependencies,
  request: Request,
  image: InlineImage,
  options: Options,
): Promise<EnhancedImage> {
  if (!acceptedFormat([image.bytes], ai.heic)) throw new ApiError('invalid_image_type')
  const { report, file } = (await byModel(models, request, image, options)) ?? (await byFilters(ai, request, image, options))
  if (options.preview && !file) throw new Error('the image was enhanced, but no file came')
  return { ...report, ...(file && { image: new OutgoingImage(codecs[report.enhanced.format].mime, file) }) }
}

async function byFilters(
  { pool, backgroundQueue }: Dependencies['ai'],
  { account, signal }: Request,
  { bytes }: InlineImage,
  options: Options,
) {
  const { report, files } = await backgroundPool(pool, backgroundQueue, account).run('enhance', options, [[bytes]], signal)
  return { report, file: files[0] }
}

/** Undefined: the filters are to be used. */
async function byModel(
  models: Dependencies['models'],
  request: Request,
  { bytes }: InlineImage,
  { mode, intensity, preview }: Options,
) {
  if (mode !== 'upscale' || !models.upscale) return undefined
  try {
    return await models.upscale(request.account, [bytes], { intensity, preview }, request.signal)
  } catch (error) {
    if (error instanceof ModelUnavailable) request.onFault(error, 'the model did not enlarge an image')
    // A model that enlarges four times accepts a quarter of the pixels that the filters accept.
    else if (!(isRefusal(error) && error.code === 'image_too_large')) throw error
    return undefined
  }
}
