import { randomUUID } from 'node:crypto'
import { ApiError } from '../contract/api-error.ts'
import type { Database } from '../database/database.ts'
import { type Answer, claimKey, freeKey, keepAnswer, type RepeatableRequest } from './requests.ts'

export interface Answered extends Answer {
  /** Whether it is the answer of an earlier request. */
  readonly replayed: boolean
}

/** Seconds after which a client that came too early may ask again. */
const RETRY_SECONDS = 1

/**
 * Does the work unless the same request was answered within the last 24 hours: then that answer is given again. Only
 * successes are kept, so that after an error the same key may try again. `onError` hears of an answer that could not be
 * kept, or a key that could not be freed: the caller gets its answer all the same, and the key is free when its lease ends.
 * @throws ApiError idempotency_key_reused for another request under the key, or while the first still runs; what `work` throws
 */
export async function answerOnce(
  { pool }: Pick<Database, 'pool'>,
  request: RepeatableRequest,
  work: () => Promise<Answer>,
  onError: (error: unknown) => void,
): Promise<Answered> {
  const claim = randomUUID()
  const held = await claimKey(pool, request, claim)
  if (held.verdict === 'replay') return { ...held.answer, replayed: true }
  if (held.verdict === 'other_request') throw new ApiError('idempotency_key_reused')
  if (held.verdict === 'running') {
    const message = 'The first request with this Idempotency-Key is still under way; try again as Retry-After says.'
    throw new ApiError('idempotency_key_reused', { message, retryAfterSeconds: RETRY_SECONDS })
  }
  let answer: Answer | undefined
  try {
    answer = await work()
    return { ...answer, replayed: false }
  } finally {
    await (answer && answer.status < 300 ? keepAnswer(pool, claim, answer) : freeKey(pool, claim)).catch(onError)
  }
}
