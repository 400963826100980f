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

/** A question to a model; how long it may take is not for its asker to say. */
export type AiQuestion<Schema extends z.ZodType> = Omit<Question<Schema>, 'deadlineMs'>

/** One AI request while it is worked on. */
export interface AiRequest {
  /** Whose turn its work takes. */
  readonly account: string
  /** Whose model it is. */
  readonly provider: Provider
  /** Whether there is a model: the platform may have none. */
  readonly hasModel: boolean
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /**
   * Asks the model, when it is this account's turn. Tokens are counted, also those of failures.
   * @param signal of the image, where eachImage gives one
   * @throws ApiError as provider-errors.ts has them, its cause an AiError; the signal's reason once that aborts
   */
  ask<Schema extends z.ZodType>(question: AiQuestion<Schema>, signal?: AbortSignal): Promise<z.output<Schema>>
  /** Tells the operator of a fault that does not change the answer, as where one without a model stands in. */
  onFault(error: unknown, what: string): void
}

/** Who asks, and for what. */
export interface AiAsker {
  readonly caller: AiCaller
  readonly userProvider: UserProvider | undefined
  /** Images that count for the quota. */
  readonly images: number
  /** Whether there is an answer without a model. */
  readonly model: 'needed' | 'optional'
  readonly signal: AbortSignal
  readonly onFault: AiRequest['onFault']
  /** Told once where a model may have been asked, however that ended. */
  readonly onSpent: (spent: Spent) => void
}

/** What came of the images of a request. */
export interface Worked<Body> {
  readonly body: Body
  /** Images that failed count for no quota. */
  readonly failed?: number
}

/**
 * One AI request, from who may use which model to the answer: images are reserved before the work and given back where it
 * fails, whatever the reason. When its client leaves, what the model has answered by then counts.
 * @throws ApiError ai_access_denied and the others of accessOf, ai_service_unavailable, ai_daily_limit_exceeded;
 * whatever the work throws
 */
export async function answerAi<Body extends object>(
  ai: Ai,
  asker: AiAsker,
  work: (request: AiRequest) => Promise<Worked<Body>>,
): Promise<Body & AiMeta> {
  const { caller, userProvider, images, signal, onFault } = asker
  const access = await accessOf(ai.access, caller, userProvider, onFault)
  if (!access.server && asker.model === 'needed') throw new ApiError('ai_service_unavailable')
  signal.throwIfAborted()
  const reserved = access.provider === 'platform' ? await ai.quota.reserve(caller.account, caller.plan, images) : undefined
  return workOn(ai, asker, access, reserved, work)
}

async function workOn<Body extends object>(
  ai: Ai,
  { caller, images, signal, onFault, onSpent }: AiAsker,
  { provider, server }: AiAccess,
  reserved: ReservedImages | undefined,
  work: (request: AiRequest) => Promise<Worked<Body>>,
): Promise<Body & AiMeta> {
  const tally = startTally(server)
  let answered: number | undefined
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
    answered = images - failed
    await reserved?.settle(answered)
    return { ...body, ...metaOf(provider, tally, reserved?.state()) }
  } finally {
    // Who leaves before the end has had the model's answers all the same: else they would cost nobody but the operator.
    answered ??= signal.aborted ? Math.min(images, tally.answers()) : 0
    await reserved?.settle(answered)
    onSpent({ provider, images: answered, ...tally.spent(), ...(reserved && { quota: reserved.state() }) })
  }
}
