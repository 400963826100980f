import { acceptedFormat } from '@pixelmill/codecs'
import type { InlineImage } from '@pixelmill/engine/crops/inline-image'
import type { TaskReport } from '@pixelmill/engine/tasks/index'
import { ApiError } from '../contract/api-error.ts'
import type { Ai } from './ai.ts'

export interface CopyForModel extends TaskReport<'modelCopy'> {
  /** Models only ever receive this re-encoded copy: `data:image/jpeg;base64,…`. */
  readonly url: string
}

/** @throws ApiError what is wrong with the image, or server_busy; the signal's reason once that aborts */
export async function copyForModel(
  { poolOf, heic }: Pick<Ai, 'poolOf' | 'heic'>,
  account: string,
  { bytes }: InlineImage,
  signal: AbortSignal,
): Promise<CopyForModel> {
  if (!acceptedFormat([bytes], heic)) throw new ApiError('invalid_image_type')
  const { report, files } = await poolOf(account).run('modelCopy', {}, [[bytes]], signal)
  const [copy] = files
  if (!copy) throw new Error('the task modelCopy brought no copy')
  return { ...report, url: `data:image/jpeg;base64,${copy.toString('base64')}` }
}
