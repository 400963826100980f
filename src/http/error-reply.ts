import { StorageFull, StorageUnavailable } from '../blobs/blob-errors.ts'
import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { isUnavailable } from '../database/unavailable.ts'

/** The framework's own errors that a client can cause, in our words. */
const translations: Readonly<Record<string, ErrorName>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'missing_form_data',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'bad_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_REOPENED_CLOSE_SERVER: 'server_busy',
}

/** The embedded PostgreSQL starts again within seconds, a managed one is replaced within a minute. */
const DATABASE_RETRY_SECONDS = 5

const codeOf = (thrown: unknown): string => (thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '')

export function toApiError(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (isUnavailable(thrown))
    return new ApiError('database_unavailable', { cause: thrown, retryAfterSeconds: DATABASE_RETRY_SECONDS })
  if (thrown instanceof StorageFull) return new ApiError('storage_full', { cause: thrown })
  if (thrown instanceof StorageUnavailable) return new ApiError('storage_unavailable', { cause: thrown })
  return new ApiError(translations[codeOf(thrown)] ?? 'internal_error', { cause: thrown })
}

/** The body of every error: contract §2. */
export const errorBody = ({ code, status, message, issues, facts }: ApiError, requestId: string) => ({
  statusCode: status,
  statusMessage: code,
  message,
  ...(issues && { issues }),
  ...facts,
  requestId,
  docs: `/docs/errors#${code}`,
})

export const errorHeaders = ({ status, retryAfterSeconds, headers }: ApiError): Record<string, string> => ({
  ...headers,
  'content-type': 'application/json; charset=utf-8',
  ...(status === 401 && { 'www-authenticate': 'Bearer' }),
  ...((status === 429 || status === 503 || retryAfterSeconds !== undefined) && { 'retry-after': String(retryAfterSeconds ?? 1) }),
})

/** What every answer carries: contract §1. */
export const headersOfAll = (requestId: string): Record<string, string> => ({
  'x-request-id': requestId,
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})

/** An answer for a socket on which no request could be read, as bytes. */
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
