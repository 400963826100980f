import { acceptedFormat } from '../codecs/accepted.ts'
import { codecs } from '../codecs/index.ts'
import { ApiError } from '../contract/api-error.ts'
import { type InlineImage, OutgoingImage } from '../contract/inline-image.ts'
import type { StudyParams, StudyReport } from '../studies/index.ts'
import type { Ai } from './ai.ts'
import type { AiRequest } from './request.ts'
import { studyInTurn } from './study-in-turn.ts'

export interface EnhancedImage extends StudyReport<'enhance'> {
  /** Where it is wanted. */
  readonly image?: OutgoingImage
}

/** @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts */
export async function enhanceImage(
  ai: Pick<Ai, 'pool' | 'backgroundTurns' | 'heic'>,
  { account, signal }: Pick<AiRequest, 'account' | 'signal'>,
  image: InlineImage,
  params: StudyParams<'enhance'>,
): Promise<EnhancedImage> {
  if (!acceptedFormat([image.bytes], ai.heic)) throw new ApiError('invalid_image_type')
  const { report, files } = await studyInTurn(ai, account, 'enhance', params, image, signal)
  const [file] = files
  if (params.preview && !file) throw new Error('the study enhance brought no file')
  return { ...report, ...(file && { image: new OutgoingImage(codecs[report.enhanced.format].mime, file) }) }
}
