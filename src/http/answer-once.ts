import type { FastifyBaseLogger } from 'fastify'
import { answerOnce } from '../idempotency/answer-once.ts'
import { fingerprint } from '../idempotency/fingerprint.ts'
import { IDEMPOTENCY_KEY, parseIdempotencyKey } from '../idempotency/idempotency-key.ts'
import type { Answer } from '../idempotency/requests.ts'
import type { Reply, Route } from './route.ts'

/** Runs a route's handler; where it declares so and the caller sent an Idempotency-Key, once for each key. */
export async function handleOnce(
  route: Route,
  call: Parameters<Route['handle']>[0],
  { method, url, log }: { readonly method: string; readonly url: string; readonly log: FastifyBaseLogger },
): Promise<Reply> {
  const key = route.idempotent ? parseIdempotencyKey(call.request.header(IDEMPOTENCY_KEY)) : undefined
  if (key === undefined) return route.handle(call)
  const { body, form, visitor, services } = call
  if (visitor.account === undefined) throw new Error('an idempotent route needs to know who calls')
  const request = {
    accountId: visitor.account,
    route: route.name,
    key,
    fingerprint: fingerprint({ method, url, body, ...form }),
  }
  const work = async (): Promise<Answer> => ({ status: route.success ?? 200, ...(await route.handle(call)) })
  const onError = (err: unknown) => log.error({ err }, 'an answer could not be kept for its Idempotency-Key')
  const { replayed, ...answer } = await answerOnce(services.database, request, work, onError)
  return replayed ? { ...answer, headers: { ...answer.headers, 'idempotency-replayed': 'true' } } : answer
}
