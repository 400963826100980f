import type { z } from 'zod'
import type { ErrorName } from '../contract/errors.ts'
import type { Question } from './client/question.ts'

/** A question to a model; how long it may take is not for its asker to say. */
export type AiQuestion<Schema extends z.ZodType> = Omit<Question<Schema>, 'deadlineMs'>

/** One AI request while it is worked on. */
export interface AiRequest {
  /** Whose model it is. */
  readonly provider: 'platform' | 'byok'
  /** Whether there is a model: the platform may have none. */
  readonly hasModel: boolean
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal
  /**
   * Asks the model, when it is this request's turn; its tokens are counted, also of failures.
   * @param signal of the image, as eachImage gives it
   * @throws ApiError ai_provider_error, ai_provider_timeout, …; the signal's reason once that aborts
   */
  ask<Schema extends z.ZodType>(question: AiQuestion<Schema>, signal?: AbortSignal): Promise<z.output<Schema>>
  /** Tells the operator of a fault that does not change the answer, as where a local answer stands in for the model's. */
  onFault(error: unknown, what: string): void
}

/** What came of the images of a request. */
export interface Worked<Body> {
  readonly body: Body
  /** Images that failed: they count for nobody's quota. */
  readonly failed?: number
}

/** What an endpoint says of its request. */
export interface AiRequestShape {
  /** Images that count for the quota. */
  readonly images: number
  /** Whether there is an answer without a model. */
  readonly model: 'needed' | 'optional'
}

export type AiRequestErrors = ErrorName
