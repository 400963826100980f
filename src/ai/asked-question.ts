import type { AiUse } from '../metering/usage-log.ts'
import type { AiFailure } from './client/ai-error.ts'

/** One question to a model, and what came of it, for the operator's numbers. */
export interface AskedQuestion extends Pick<AiUse, 'provider' | 'inputTokens' | 'outputTokens'> {
  /** `abandoned`: its client had gone, or another image's trouble ended the request. */
  readonly outcome: 'ok' | AiFailure | 'abandoned'
  /** From the first byte that was sent; the wait for its turn does not count. */
  readonly seconds: number
}
