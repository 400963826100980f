import type { FastifyReply, FastifyRequest } from 'fastify'
import { StorageFull, StorageUnavailable } from 'pixelmill/bucket/blob-errors'
import { ApiError, asApiError, isRefusal } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { isUnavailable } from '../database/unavailable.ts'
import { CallRefused } from '../metering/admission-result.ts'
import { isDrained } from './connections.ts'
import { headersOfAll, rateLimitHeaders } from './reply.ts'
import { allowanceOf, giveBack, type NotFoundPage } from './request-state.ts'

/** Answers anything thrown with the error body, after the reserved call has been given back. */
export async function refuse(thrownError: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const error = toApiError(thrownError)
  request.failure = error.code
  if (error instanceof CallRefused) request.refusal = error
  // Undefined for a path that cannot be decoded: no hook has run then.
  const goneController: AbortController | undefined = request.gone
  if (isOurs(error) && !goneController?.signal.aborted) request.log.error({ err: error.cause ?? error }, error.code)
  await giveBack(request)
  if (!request.raw.complete && !canDrain(request)) reply.header('connection', 'close')
  // HTTP/1.1 carries the identifier in the reason phrase as well.
  reply.raw.statusMessage = error.code
  const page = pageFor(error, request)
  const ofFault = await faultHeaders(request)
  return (
    reply
      .code(error.status)
      // headersOfAll once more, for a path that cannot be decoded.
      .headers({
        ...headersOfAll(request.id),
        ...errorHeaders(error, request.routeOptions.config.challenge),
        ...ofFault,
        ...rateLimitHeaders(allowanceOf(request)),
        ...page?.headers,
        // A page of any origin can read why an image is missing, also where no route was reached.
        ...(isDelivery(request) && { 'access-control-allow-origin': '*' }),
      })
      .send(page?.body ?? JSON.stringify(bodyOf(error, request)))
  )
}

/** Whether a request is for an image by URL. */
export const isDelivery = ({ raw }: FastifyRequest): boolean => raw.url?.startsWith('/i/') === true

const bodyOf = (error: ApiError, { routeOptions, id }: FastifyRequest): object =>
  routeOptions.config.faults?.body?.(error) ?? errorBody(error, id)

/** What a client of another API reads from the headers of an error. Where it cannot be read, as without a database, the error goes without. */
async function faultHeaders({ routeOptions, visitor, refusal, log }: FastifyRequest): Promise<Readonly<Record<string, string>>> {
  const account = visitor?.account ?? refusal?.accountId
  const { faultHeaders } = routeOptions.config
  if (!account || !faultHeaders) return {}
  return await faultHeaders(account).catch((err: unknown) => {
    log.warn({ err }, 'an error was answered without its headers')
    return {}
  })
}

/** The framework's own errors that a client can cause. */
const translations: Readonly<Record<string, ErrorName>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'missing_form_data',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_REOPENED_CLOSE_SERVER: 'server_busy',
}

/** The embedded PostgreSQL restarts within seconds, a managed one fails over within a minute. */
const DATABASE_RETRY_SECONDS = 5

const codeOf = (thrownError: unknown): string =>
  thrownError instanceof Error && 'code' in thrownError ? String(thrownError.code) : ''

export function toApiError(thrownError: unknown): ApiError {
  if (isRefusal(thrownError)) return asApiError(thrownError)
  if (isUnavailable(thrownError))
    return new ApiError('database_unavailable', { cause: thrownError, retryAfterSeconds: DATABASE_RETRY_SECONDS })
  if (thrownError instanceof StorageFull) return new ApiError('storage_full', { cause: thrownError })
  if (thrownError instanceof StorageUnavailable) return new ApiError('storage_unavailable', { cause: thrownError })
  return new ApiError(translations[codeOf(thrownError)] ?? 'internal_error', { cause: thrownError })
}

/** Whether the operator needs to know: a 503 without a cause only means too much load. */
const isOurs = ({ status, cause, ofCaller }: ApiError): boolean =>
  status === 500 || (status === 502 && !ofCaller) || (status === 503 && cause !== undefined)

/**
 * Whether the rest of the body can be discarded, so that the connection can be used again. A client that waits for "100 Continue"
 * may send no body after a refusal; one without a length might send for ever.
 */
function canDrain(request: FastifyRequest): boolean {
  return request.headers.expect === undefined && isDrained(request)
}

/** Browsers accept it when an address is typed or a link followed; programs, scripts and curl do not. */
const TEXT_HTML = /(?:^|,)\s*text\/html(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i

/** The page for a browser at an address that does not exist, or of a guide that does not. Endpoints always answer in JSON. */
function pageFor({ code }: ApiError, { method, headers, routeOptions, server }: FastifyRequest): NotFoundPage | undefined {
  const isOpened = (method === 'GET' || method === 'HEAD') && TEXT_HTML.test(headers.accept ?? '')
  const isPage = routeOptions.url === undefined || routeOptions.config.isPage === true
  return code === 'not_found' && isPage && isOpened ? server.notFoundPage : undefined
}

/** The body of every error: docs/errors.md. */
export const errorBody = ({ code, status, message, issues, facts }: ApiError, requestId: string) => ({
  statusCode: status,
  statusMessage: code,
  message,
  ...(issues && { issues }),
  ...facts,
  requestId,
  docs: `/docs/errors#${code}`,
})

const errorHeaders = (
  { status, retryAfterSeconds, headers }: ApiError,
  challenge: string | undefined = 'Bearer',
): Record<string, string> => ({
  ...headers,
  'content-type': 'application/json; charset=utf-8',
  ...(status === 401 && { 'www-authenticate': challenge }),
  ...((status === 429 || status === 503 || retryAfterSeconds !== undefined) && { 'retry-after': String(retryAfterSeconds ?? 1) }),
})

/** A whole response, for a socket on which no request could be parsed. */
export function rawErrorReply(error: ApiError, requestId: string): string {
  const body = JSON.stringify(errorBody(error, requestId))
  const headers = {
    ...headersOfAll(requestId),
    ...errorHeaders(error),
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return `HTTP/1.1 ${error.status} ${error.code}\r\n${lines.join('\r\n')}\r\n\r\n${body}`
}
