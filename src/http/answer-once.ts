import { Readable } from 'node:stream'
import type { FastifyBaseLogger } from 'fastify'
import { answerOnce } from '../idempotency/answer-once.ts'
import { type FingerprintedFile, fingerprint } from '../idempotency/fingerprint.ts'
import { IDEMPOTENCY_KEY, parseIdempotencyKey } from '../idempotency/idempotency-key.ts'
import type { Answer } from '../idempotency/requests.ts'
import type { Form, Reply, Route } from './route.ts'

/** Runs a route's handler; where it declares so and the caller sent an Idempotency-Key, once for each key. */
export async function handleOnce(
  route: Route,
  call: Parameters<Route['handle']>[0],
  { method, url, log }: { readonly method: string; readonly url: string; readonly log: FastifyBaseLogger },
): Promise<Reply & { readonly replayed: boolean }> {
  const key = route.idempotent ? parseIdempotencyKey(call.request.header(IDEMPOTENCY_KEY)) : undefined
  if (key === undefined) return { ...(await route.handle(call)), replayed: false }
  const { body, form, visitor, services } = call
  if (visitor.account === undefined) throw new Error('an idempotent route needs to know who calls')
  const request = {
    accountId: visitor.account,
    route: route.name,
    key,
    fingerprint: fingerprint({ method, url, body, fields: form.fields, files: filesOf(form) }),
    server: services.presence.server,
  }
  const work = async (): Promise<Answer> => {
    const { body, ...rest } = { status: route.success ?? 200, ...(await route.handle({ ...call, idempotency: request })) }
    if (body instanceof Readable) throw new TypeError('a stream cannot be kept for a second time')
    return { ...rest, body }
  }
  const onError = (err: unknown) => log.error({ err }, 'an answer could not be kept for its Idempotency-Key')
  const { replayed, ...answer } = await answerOnce(services.database, request, work, onError)
  return { ...answer, replayed, headers: { ...answer.headers, ...(replayed && { 'idempotency-replayed': 'true' }) } }
}

const filesOf = ({ files, stored }: Form): ReadonlyMap<string, FingerprintedFile> =>
  new Map<string, FingerprintedFile>([...files, ...(stored ? ([['(stored)', stored]] as const) : [])])
