import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnAnswer, OwnRequest } from '../contract/own-request.ts'

/** The request that the code which runs belongs to, where a handler sent it. */
const sentStorage = new AsyncLocalStorage<OwnRequest & { readonly signal: AbortSignal }>()

/** Sends a request as the caller of `parent` could: with its credentials, from its address, through every gate, without a connection. */
export async function askOwnApi(
  app: FastifyInstance,
  parent: FastifyRequest,
  request: OwnRequest,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  signal.throwIfAborted()
  const { method, url, headers, body } = request
  const { authorization, host = '' } = parent.headers
  // Asynchronous, since the framework begins when its answer is awaited.
  const answer = await sentStorage.run(
    { ...request, signal },
    async () =>
      await app.inject({
        method,
        url,
        headers: { ...headers, host, ...(authorization !== undefined && { authorization }) },
        remoteAddress: parent.ip,
        ...(body && { payload: body }),
      }),
  )
  const texts = Object.entries(answer.headers).map(
    ([name, value]) => [name, value === undefined ? value : String(value)] as const,
  )
  return { status: answer.statusCode, headers: Object.fromEntries(texts), body: answer.rawPayload }
}

/** Whether a handler sent the request for which the code runs: it has no connection. */
export const isOwnRequest = (): boolean => sentStorage.getStore() !== undefined

/** Aborted when the client has gone for whom a handler sent this request; undefined where a client sent it itself. */
export const senderGone = (): AbortSignal | undefined => sentStorage.getStore()?.signal

/** Gives an answer to the handler that asked for it, if one did and wants it before the charge. @throws ApiError */
export async function beforeCharge({
  status,
  headers,
  body,
}: Omit<OwnAnswer, 'body'> & { readonly body: unknown }): Promise<void> {
  const take = sentStorage.getStore()?.beforeCharge
  if (!take || status >= 300) return
  if (!Buffer.isBuffer(body)) throw new TypeError('a handler can take only a whole answer before it is charged')
  await take({ status, headers, body })
}
