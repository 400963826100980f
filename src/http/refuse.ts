import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../contract/api-error.ts'
import { CallRefused } from '../metering/call-refused.ts'
import { errorBody, errorHeaders, headersOfAll, toApiError } from './error-reply.ts'
import { DRAIN_BYTES } from './half-close.ts'
import { rateLimitHeaders } from './rate-limit-headers.ts'
import { allowanceOf, giveBack, type NotFoundPage } from './request-state.ts'

/**
 * Whether the connection can be used again after the body was read past. A client that waits for "100 Continue" may send none
 * after a refusal; one without a length might send for ever.
 */
function canDrain({ headers }: FastifyRequest): boolean {
  return headers.expect === undefined && Number(headers['content-length'] ?? Number.POSITIVE_INFINITY) <= DRAIN_BYTES
}

/** What an operator has to hear of: a 503 has a cause where it is not only that there is too much to do. */
const isOurs = ({ status, cause, ofCaller }: ApiError): boolean =>
  status === 500 || (status === 502 && !ofCaller) || (status === 503 && cause !== undefined)

/** Browsers name it when an address is typed or a link followed; programs, scripts and curl do not. */
const TEXT_HTML = /(?:^|,)\s*text\/html(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** The page for people who opened an address that does not exist. Endpoints answer in JSON, whoever asks. */
function pageFor({ code }: ApiError, { method, headers, routeOptions, server }: FastifyRequest): NotFoundPage | undefined {
  const isOpened = (method === 'GET' || method === 'HEAD') && TEXT_HTML.test(headers.accept ?? '')
  return code === 'not_found' && routeOptions.url === undefined && isOpened ? server.notFoundPage : undefined
}

/** Answers anything thrown with the error body, after the call has been given back. */
export async function refuse(thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const error = toApiError(thrown)
  request.failure = error.code
  if (error instanceof CallRefused) request.refusal = error
  // An address that cannot be decoded comes here before a client is watched.
  const gone: AbortController | undefined = request.gone
  if (isOurs(error) && !gone?.signal.aborted) request.log.error({ err: error.cause ?? error }, error.code)
  await giveBack(request)
  if (!request.raw.complete && !canDrain(request)) reply.header('connection', 'close')
  // HTTP/1.1 carries the identifier in the reason phrase as well: contract §2.
  reply.raw.statusMessage = error.code
  const page = pageFor(error, request)
  return (
    reply
      .code(error.status)
      // Once more: an address that cannot be decoded never reaches the hooks.
      .headers({
        ...headersOfAll(request.id),
        ...errorHeaders(error),
        ...rateLimitHeaders(allowanceOf(request)),
        ...page?.headers,
      })
      .send(page?.body ?? JSON.stringify(errorBody(error, request.id)))
  )
}
