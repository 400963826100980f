import type { z } from 'zod'
import { ApiError } from '../contract/api-error.ts'
import type { ReservedImages } from '../metering/ai-images.ts'
import { type AiAccess, type AiCaller, accessOf } from './access.ts'
import type { Ai } from './ai.ts'
import { type AiMeta, metaOf } from './answer.ts'
import { askModel } from './ask-model.ts'
import type { Question } from './client/question.ts'
import type { Provider, UserProvider } from './provider.ts'
import { type Spent, startTally } from './tally.ts'

/** A question to a model; its deadline is set here. */
export type AiQuestion<Schema extends z.ZodType> = Omit<Question<Schema>, 'deadlineMs'>

/** One AI request while it is processed. */
export interface AiRequest {
  /** Whose place in the queues its work takes. */
  readonly account: string
  /** Whose model it is. */
  readonly provider: Provider
  /** False where the platform has no model. */
  readonly hasModel: boolean
  /** Aborted when the client has left. */
  readonly signal: AbortSignal
  /**
   * Asks the model. Tokens are counted, also those of failures.
   * @param signal of the image, within eachImage
   * @throws ApiError as provider-errors.ts has them, its cause an AiError; the signal's reason once that aborts
   */
  ask<Schema extends z.ZodType>(question: AiQuestion<Schema>, signal?: AbortSignal): Promise<z.output<Schema>>
  /** Reports a fault that does not change the answer, for example where a fallback without a model is used. */
  onFault(error: unknown, what: string): void
}

/** The sender of an AI request, and what it needs. */
export interface AiRequestOptions {
  readonly caller: AiCaller
  readonly userProvider: UserProvider | undefined
  /** Images that count for the quota. */
  readonly images: number
  /** Whether there is an answer without a model: `optional`. */
  readonly model: 'needed' | 'optional'
  readonly signal: AbortSignal
  readonly onFault: AiRequest['onFault']
  /** Called once if a model may have been asked, whatever the outcome. */
  readonly onSpent: (tokens: Spent) => void
}

/** The result for the images of a request. */
export interface Worked<Body> {
  readonly body: Body
  /** Images that failed; they do not count for the quota. */
  readonly failed?: number
}

/**
 * Processes one AI request: chooses the model, reserves the images, works, settles. Where the work fails the images are
 * released. Where the client leaves, what the model has answered by then counts.
 * @throws ApiError ai_access_denied and the others of accessOf, ai_service_unavailable, ai_daily_limit_exceeded;
 * whatever the work throws
 */
export async function answerAi<Body extends object>(
  ai: Ai,
  options: AiRequestOptions,
  work: (request: AiRequest) => Promise<Worked<Body>>,
): Promise<Body & AiMeta> {
  const { caller, userProvider, images, signal, onFault } = options
  const access = await accessOf(ai.access, caller, userProvider, onFault)
  if (!access.server && options.model === 'needed') throw new ApiError('ai_service_unavailable')
  signal.throwIfAborted()
  const reservedImages = access.provider === 'platform' ? await ai.quota.reserve(caller.account, caller.plan, images) : undefined
  return workOn(ai, options, access, reservedImages, work)
}

async function workOn<Body extends object>(
  ai: Ai,
  { caller, images, signal, onFault, onSpent }: AiRequestOptions,
  { provider, server }: AiAccess,
  reservedImages: ReservedImages | undefined,
  work: (request: AiRequest) => Promise<Worked<Body>>,
): Promise<Body & AiMeta> {
  const tally = startTally(server)
  let answeredCount: number | undefined
  try {
    const { body, failed = 0 } = await work({
      account: caller.account,
      provider,
      hasModel: server !== undefined,
      signal,
      onFault,
      ask: (question, until = signal) =>
        askModel(ai, { server, provider, account: caller.account, tally, onFault }, question, until),
    })
    signal.throwIfAborted()
    answeredCount = images - failed
    await reservedImages?.settle(answeredCount)
    return { ...body, ...metaOf(provider, tally, reservedImages?.state()) }
  } finally {
    // If the client disconnects, it is charged for what the model has answered, since the operator has paid for that.
    answeredCount ??= signal.aborted ? Math.min(images, tally.answers()) : 0
    await reservedImages?.settle(answeredCount)
    onSpent({ provider, images: answeredCount, ...tally.spentTokens(), ...(reservedImages && { quota: reservedImages.state() }) })
  }
}
