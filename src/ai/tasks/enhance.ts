import { acceptedFormat, codecs } from '../../codecs/index.ts'
import { ApiError } from '../../contract/api-error.ts'
import { type InlineImage, OutgoingImage } from '../../contract/inline-image.ts'
import type { Models } from '../../models/models.ts'
import { ModelUnavailable } from '../../models/watched-model.ts'
import type { TaskParams, TaskReport } from '../../tasks/index.ts'
import { backgroundPool } from '../account-pool.ts'
import type { Ai } from '../ai.ts'
import type { AiRequest } from '../request.ts'

export interface EnhancedImage extends TaskReport<'enhance'> {
  /** Where it is wanted. */
  readonly image?: OutgoingImage
}

interface Means {
  readonly ai: Pick<Ai, 'pool' | 'backgroundQueue' | 'heic'>
  readonly models: Pick<Models, 'upscale'>
}

type Asker = Pick<AiRequest, 'account' | 'signal' | 'onFault'>
type Wish = TaskParams<'enhance'>

/**
 * Enlarges by the operator's model, where there is one that works; all else, and where it does not, is done by the filters.
 * @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts
 */
export async function enhanceImage({ ai, models }: Means, asker: Asker, image: InlineImage, wish: Wish): Promise<EnhancedImage> {
  if (!acceptedFormat([image.bytes], ai.heic)) throw new ApiError('invalid_image_type')
  const { report, file } = (await byModel(models, asker, image, wish)) ?? (await byFilters(ai, asker, image, wish))
  if (wish.preview && !file) throw new Error('the image was enhanced, but no file came')
  return { ...report, ...(file && { image: new OutgoingImage(codecs[report.enhanced.format].mime, file) }) }
}

async function byFilters({ pool, backgroundQueue }: Means['ai'], { account, signal }: Asker, { bytes }: InlineImage, wish: Wish) {
  const { report, files } = await backgroundPool(pool, backgroundQueue, account).run('enhance', wish, [[bytes]], signal)
  return { report, file: files[0] }
}

/** Undefined where the filters are to do it. */
async function byModel(models: Means['models'], asker: Asker, { bytes }: InlineImage, { mode, intensity, preview }: Wish) {
  if (mode !== 'upscale' || !models.upscale) return undefined
  try {
    return await models.upscale(asker.account, [bytes], { intensity, preview }, asker.signal)
  } catch (error) {
    if (error instanceof ModelUnavailable) asker.onFault(error, 'the model did not enlarge an image')
    // A model of four times takes a quarter of the pixels that the filters take.
    else if (!(error instanceof ApiError && error.code === 'image_too_large')) throw error
    return undefined
  }
}
