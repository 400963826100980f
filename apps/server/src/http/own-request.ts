import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OwnAnswer, OwnRequest } from '../contract/own-request.ts'
import { senders } from './request-state.ts'

/** Sends a request as the caller of `parent` could: with its credentials, from its address, through every gate, without a connection. */
export async function askOwnApi(
  app: FastifyInstance,
  parent: FastifyRequest,
  request: OwnRequest,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  signal.throwIfAborted()
  const { method, url, headers, body } = request
  const { host = '' } = parent.headers
  // Asynchronous, since the framework begins when its answer is awaited.
  const answer = await senders.run(
    { ...request, signal },
    async () =>
      await app.inject({
        method,
        url,
        headers: { ...headers, ...callersHeaders(parent), host },
        remoteAddress: parent.ip,
        ...(body && { payload: body }),
      }),
  )
  const texts = Object.entries(answer.headers).map(
    ([name, value]) => [name, value === undefined ? value : String(value)] as const,
  )
  return { status: answer.statusCode, headers: Object.fromEntries(texts), body: answer.rawPayload }
}

/** A key or a session, and what says which page a session's request comes from, so that the same gate decides about both requests. */
const CALLERS_HEADERS = ['authorization', 'cookie', 'origin', 'sec-fetch-site'] as const

function callersHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  const values = CALLERS_HEADERS.map((name) => [name, headers[name]] as const)
  return Object.fromEntries(values.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
}
