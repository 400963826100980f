import type { FastifyReply, FastifyRequest } from 'fastify'
import { aiHeaderTexts, backgroundHeaderTexts, imageHeaders, rateLimitHeaderTexts, UNKNOWN_FIELDS } from './reply.ts'

/** Pictures by URL are open to every page in any case, and agents are not pages. */
const PATHS = /^\/(?:api|v1)\//

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** A day; browsers cap it at two hours or so. */
const MAX_AGE_S = '86400'

/** What scripts may read beside the few headers that every page may. */
const EXPOSED = [
  ...new Set(Object.keys({ ...imageHeaders, ...rateLimitHeaderTexts, ...backgroundHeaderTexts, ...aiHeaderTexts })),
  UNKNOWN_FIELDS,
  'X-Request-Id',
  'X-Recipe-Id',
  'Idempotency-Replayed',
  'Retry-After',
  'Location',
  'ETag',
  'Upload-Offset',
  'Upload-Complete',
  'Upload-Length',
  'Upload-Limit',
  'Upload-Expires',
  'Tus-Resumable',
  'Tus-Version',
  'Tus-Extension',
  'Tus-Max-Size',
].join(', ')

/** Names of headers, as a browser sends them. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~-]+(?: *, *[\w!#$%&'*+.^`|~-]+)*$/
const LONGEST_NAMES = 2_000

/** Which headers let the page of a request read its answer; undefined where it may not. Never with credentials: cookies are for own pages. */
export function corsHeaders({ url, headers }: FastifyRequest, origins: readonly string[]): Record<string, string> | undefined {
  const { origin } = headers
  if (origin === undefined || !PATHS.test(url)) return undefined
  const isAny = origins.includes('*')
  if (!isAny && !origins.includes(origin)) return undefined
  return { 'access-control-allow-origin': isAny ? '*' : origin, 'access-control-expose-headers': EXPOSED }
}

/** What a browser is told that asks before it sends a request; undefined where it asks for nothing, or its page may not. */
export function preflightHeaders(request: FastifyRequest, origins: readonly string[]): Record<string, string> | undefined {
  const { method, headers } = request
  const names = headers['access-control-request-headers']
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined
  const isNamed = typeof names === 'string' && names.length <= LONGEST_NAMES && HEADER_NAMES.test(names)
  const readHeaders = corsHeaders(request, origins)
  return (
    readHeaders && {
      ...readHeaders,
      'access-control-allow-methods': METHODS,
      'access-control-max-age': MAX_AGE_S,
      ...(isNamed && { 'access-control-allow-headers': names }),
    }
  )
}

/** Lets caches know that another page may get other headers. */
export function varyByOrigin(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Origin' : `${String(vary)}, Origin`)
}
