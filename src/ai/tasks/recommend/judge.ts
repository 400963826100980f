import { ApiError } from '../../../contract/api-error.ts'
import type { InlineImage } from '../../../contract/inline-image.ts'
import type { Ai } from '../../ai.ts'
import { AiError } from '../../client/ai-error.ts'
import { copyForModel } from '../../copy-for-model.ts'
import type { AiRequest } from '../../request.ts'
import { type Judgement, judgementQuestion } from './judgement.ts'
import type { UseCase } from './use-cases.ts'

/**
 * What the model of a request says of an image's content; undefined where there is none, or the platform's fails: the pixels
 * tell enough.
 * @throws ApiError what is wrong with the image, or with the caller's own model; the signal's reason once that aborts
 */
export async function judge(
  ai: Pick<Ai, 'poolOf' | 'heic'>,
  { account, hasModel, provider, ask }: Pick<AiRequest, 'account' | 'hasModel' | 'provider' | 'ask'>,
  image: InlineImage,
  { name }: UseCase,
  signal: AbortSignal,
): Promise<Judgement | undefined> {
  if (!hasModel) return undefined
  const { url } = await copyForModel(ai, account, image, signal)
  try {
    return await ask(judgementQuestion(name, url), signal)
  } catch (error) {
    signal.throwIfAborted()
    const modelFailed = error instanceof ApiError && error.cause instanceof AiError
    if (provider === 'platform' && modelFailed) return undefined
    throw error
  }
}
