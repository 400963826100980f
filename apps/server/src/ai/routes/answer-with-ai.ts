import type { ErrorName } from '../../contract/errors.ts'
import type { Call } from '../../http/route.ts'
import type { AiMeta } from '../answer.ts'
import type { UserProvider } from '../provider.ts'
import { type AiRequest, type AiRequestOptions, answerAi, type Worked } from '../request.ts'

/** Errors of a request that asks a model, in addition to those of its admission and its body. */
export const modelErrors = [
  ...(['no_saved_ai_key', 'ai_key_encryption_disabled', 'ai_service_unavailable'] as const),
  ...(['rate_limited', 'ai_daily_limit_exceeded', 'ai_provider_rate_limited'] as const),
  ...(['ai_provider_error', 'ai_provider_timeout'] as const),
] as const satisfies readonly ErrorName[]

/** Errors about an image. */
export const imageErrors = [
  ...(['invalid_image_type', 'invalid_image', 'image_too_large', 'conversion_failed', 'server_busy'] as const),
] as const satisfies readonly ErrorName[]

/** Runs `work` and returns the body of the answer: its result, and which model was used. */
export function answerWithAi<Body extends object>(
  { body, visitor, services, signal, onFault, noteAi }: Call<{ readonly userProvider?: UserProvider | undefined }>,
  { images, model }: Pick<AiRequestOptions, 'images' | 'model'>,
  work: (request: AiRequest) => Promise<Worked<Body>>,
): Promise<Body & AiMeta> {
  const { ai: caller } = visitor
  if (!caller) throw new Error('an AI endpoint was reached without its admission')
  const { accountId: account, plan, keyId } = caller
  return answerAi(
    services.ai,
    {
      caller: { account, plan, signedIn: keyId === null },
      userProvider: body.userProvider,
      images,
      model,
      signal,
      onFault,
      onSpent: noteAi,
    },
    work,
  )
}
