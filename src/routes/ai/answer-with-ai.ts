import type { AiMeta } from '../../ai/answer.ts'
import type { UserProvider } from '../../ai/provider.ts'
import { type AiRequest, type AiRequestOptions, answerAi, type Worked } from '../../ai/request.ts'
import type { ErrorName } from '../../contract/errors.ts'
import type { Call } from '../../http/route.ts'

/** What a request with a model may answer, beside what its admission and its body do. */
export const modelErrors = [
  ...(['no_saved_ai_key', 'ai_key_encryption_disabled', 'ai_service_unavailable'] as const),
  ...(['rate_limited', 'ai_daily_limit_exceeded', 'ai_provider_rate_limited'] as const),
  ...(['ai_provider_error', 'ai_provider_timeout'] as const),
] as const satisfies readonly ErrorName[]

/** What it may say of an image. */
export const imageErrors = [
  ...(['invalid_image_type', 'invalid_image', 'image_too_large', 'conversion_failed', 'server_busy'] as const),
] as const satisfies readonly ErrorName[]

/** The body of an AI answer: what the work makes of the images, and whose model it was. */
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
