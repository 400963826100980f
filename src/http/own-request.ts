import type { FastifyInstance, FastifyRequest } from 'fastify'

/** A request of a handler to another endpoint of this server. */
export interface OwnRequest {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Buffer
}

export interface OwnAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Buffer
}

/** Sends a request as the caller of `parent` could: with its credentials, from its address, through every gate, without a connection. */
export async function askOwnApi(
  app: FastifyInstance,
  parent: FastifyRequest,
  { method, url, headers, body }: OwnRequest,
  signal: AbortSignal,
): Promise<OwnAnswer> {
  const { authorization, host = '' } = parent.headers
  const answer = await app.inject({
    method,
    url,
    headers: { ...headers, host, ...(authorization !== undefined && { authorization }) },
    remoteAddress: parent.ip,
    signal,
    ...(body && { payload: body }),
  })
  const texts = Object.entries(answer.headers).map(
    ([name, value]) => [name, value === undefined ? value : String(value)] as const,
  )
  return { status: answer.statusCode, headers: Object.fromEntries(texts), body: answer.rawPayload }
}
